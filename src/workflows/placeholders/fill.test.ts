import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/any-text.ts'
import { forAll } from '../../../test/for-all.ts'
import { assertLinear } from '../../../test/growth.ts'
import { propertyTest, slowTest } from '../../../test/slow.ts'
import type { Context } from '../nodes/node.ts'
import { fillAll, fillValue, hasPlaceholder } from './fill.ts'

const context: Context = {
  trigger: {
    contact: { firstName: 'Ada', lastName: null, tags: ['a', { b: 1 }] },
    n: 0,
    yes: true,
    empty: '',
    'a-b_c': 'x',
    '2': 'two',
    prénom: 'Zoë',
  },
  vars: { x: 'y' },
  'node_a-1': { body: 'out' },
}

test('a placeholder becomes the value of its path, with or without blanks inside the braces', () => {
  const cases: [string, string][] = [
    ['Hi {{trigger.contact.firstName}}, {{ vars.x }} {{\tnode_a-1.body }}!', 'Hi Ada, y out!'],
    ['{{trigger.contact.tags.0}}{{trigger.contact.tags[0]}}{{trigger.contact.tags[1].b}}', 'aa1'],
    [
      '{{trigger.n}} {{trigger.yes}} [{{trigger.empty}}] {{trigger.a-b_c}} {{trigger.2}} {{trigger.prénom}}',
      '0 true [] x two Zoë',
    ],
    ['{{trigger.contact.tags}} {{vars}}', '["a",{"b":1}] {"x":"y"}'],
    ['[{{trigger.contact.lastName}}]', '[]'],
  ]
  for (const [text, expected] of cases) assert.equal(fillAll(text, context), expected)
})

test('a placeholder without a value stays', () => {
  const left = [
    ...[
      '{{trigger.nothing}}',
      '{{trigger.n.x}}',
      '{{trigger.contact.tags[2]}}',
      '{{trigger.contact.tags.x}}',
      '{{node_b.x}}',
    ],
    ...[
      '{{other}}',
      '{{}}',
      '{{ }}',
      '{{trigger..n}}',
      '{{trigger.}}',
      '{{trigger n}}',
      '{{trigger.n',
      '{trigger.n}',
      '{{x.trigger.n}}',
    ],
    ...[
      '{{trigger.contact[firstName]}}',
      '{{trigger.contact.tags[-1]}}',
      '{{trigger.contact.tags[99999999999]}}',
      '{{trigger.n }',
    ],
    ...['{{trigger[0]}}', '{{#trigger.n}}', '{{trigger.n|upper}}', '{{trigger.\nn}}'],
  ]
  for (const text of left) assert.equal(fillAll(text, context), text)
})

test('inherited members of objects and lists have no value', () => {
  const paths = [
    'constructor',
    '__proto__',
    'toString',
    'contact.__proto__.x',
    'contact.tags.length',
    'contact.firstName.length',
  ]
  for (const path of paths) assert.equal(fillAll(`{{trigger.${path}}}`, context), `{{trigger.${path}}}`)
  const own = JSON.parse('{"trigger": {"__proto__": {"constructor": "mine"}}, "vars": {}}')
  assert.equal(fillAll('{{trigger.__proto__.constructor}}', own), 'mine')
})

test('a value is never expanded again', () => {
  const trap: Context = { trigger: { a: '{{vars.x}}', b: '$&$1' }, vars: { x: '{{trigger.a}}' } }
  assert.equal(fillAll('{{trigger.a}}{{vars.x}}{{trigger.b}}', trap), '{{vars.x}}{{trigger.a}}$&$1')
})

test('all texts of a config are filled at any depth, and other values are not changed', () => {
  const config = JSON.parse('{"a": ["{{vars.x}}", 1, null], "{{vars.x}}": {"__proto__": "{{vars.x}}"}}')
  const filled = fillAll(config, context)
  assert.equal(JSON.stringify(filled), '{"a":["y",1,null],"{{vars.x}}":{"__proto__":"y"}}')
  assert.equal(config.a[0], '{{vars.x}}')
})

test('a text that is one placeholder gives the value itself', () => {
  assert.deepEqual(fillValue('{{ trigger.contact.tags }}', context), ['a', { b: 1 }])
  assert.equal(fillValue('{{trigger.n}}', context), 0)
  assert.equal(fillValue('{{trigger.contact.lastName}}', context), null)
  assert.equal(fillValue('{{trigger.nothing}}', context), '{{trigger.nothing}}')
  assert.equal(fillValue('{{trigger.n}}{{trigger.n}}', context), '00')
})

test('only valid paths count as placeholders', () => {
  for (const text of ['{{trigger}}', 'a {{ vars.x }} b', '{{node_x[0]}}']) assert.equal(hasPlaceholder(text), true)
  for (const text of ['', '{{}}', '{{name}}', '{{node_}}', '{{vars.}}']) assert.equal(hasPlaceholder(text), false)
})

test('a config that becomes too long is refused', () => {
  const long: Context = { trigger: { a: 'x'.repeat(100_000), list: Array(50_000).fill(0) }, vars: {} }
  assert.throws(() => fillAll('{{trigger.a}}'.repeat(11), long), { kind: 'invalid', message: /longer than 1048576/ })
  assert.throws(() => fillAll(Array(11).fill('{{trigger.list}}'), long), { kind: 'invalid' })
  assert.equal(fillAll('{{trigger.a}}'.repeat(10), long).length, 1_000_000)
})

propertyTest('text without placeholders does not change, and values replace the placeholders', () => {
  const piece = fc.string({ unit: anyCharacter }).filter((text) => !/[{}]/.test(text))
  const value = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean())
  forAll({ always: 100 }, fc.array(fc.tuple(piece, value)), piece, (parts, rest) => {
    const source = parts.map(([text], index) => `${text}{{ trigger[${index}] }}`).join('') + rest
    const filled = fillAll(source, { trigger: parts.map(([, value]) => value), vars: {} })
    assert.equal(filled, parts.map(([text, value]) => text + String(value)).join('') + rest)
  })
})

slowTest('hostile text takes linear time', () => {
  const lengthMax = 1024 * 1024
  const units = [
    '{',
    '{{',
    '{{trigger',
    '{{trigger.',
    '{{trigger.a',
    '{{trigger[0]',
    '{{ ',
    '{{node_',
    '{{node_a',
    '{{vars }',
    '{{trigger.a.',
  ]
  for (const unit of units)
    assertLinear(unit, (length) => fillAll(unit.repeat((length - 20) / unit.length), context), lengthMax)
  for (const unit of ['.a', '[0]', ' ', 'a', '-']) {
    const fill = (length: number) => fillAll(`{{trigger${unit.repeat((length - 20) / unit.length)}`, context)
    assertLinear(`{{trigger${unit}`, fill, lengthMax)
  }
})
