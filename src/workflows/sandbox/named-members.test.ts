import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedMembers } from './named-members.ts'

test('the members of its input that a source names are found', () => {
  const cases: [string, string[]][] = [
    ['return 1', []],
    ['return input.trigger.body.items', ['trigger']],
    ['const inputs = input.vars; return [inputs, myInput, $input]', ['vars']],
    ['return input[\'node_a-b\'].x + input?.["node_c"] + input?.trigger', ['node_a-b', 'node_c', 'trigger']],
    ['return [input . node_1]\n + input\n  .node_1', ['node_1']],
  ]
  for (const [source, names] of cases) assert.deepEqual([...(namedMembers('code', source) ?? ['all'])], names, source)
})

test('a source that may read any member gets all', () => {
  const sources = [
    'return input',
    'const { trigger } = input',
    'return input[name]',
    "return input['node_' + n]",
    'return Object.keys(input)',
    'return input.hasOwnProperty("node_a")',
    'return input/**/.trigger',
    'return input.tr\\u0069gger',
    'return inp\\u0075t.vars',
    'return arguments[0].vars',
    'return eval("inp" + "ut").vars',
    'return { input }',
    'return input.node_ä',
    `return input${' '.repeat(1000)}.node_a`,
  ]
  for (const source of sources) assert.equal(namedMembers('code', source), null, source)
})

test('the members of its root that a JSONPath names are found, or it gets all', () => {
  const cases: [string, string[] | null][] = [
    ['$.trigger.l[?@.price > $.vars.least]', ['trigger', 'vars']],
    ["$['node_a-b'][*]", ['node_a-b']],
    ['$ ["vars"]..x', ['vars']],
    ['$', null],
    ['$.*', null],
    ['$..id', null],
    ['$[*]', null],
    ["$['trigger','vars']", null],
    ['$["\\u0076ars"]', null],
    ["$.trigger[?match(@, 'a$')]", null],
    ['$[?@.x]', null],
  ]
  for (const [expression, names] of cases) {
    const found = namedMembers('jsonpath', expression)
    assert.deepEqual(found && [...found], names, expression)
  }
})
