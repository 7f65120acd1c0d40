import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import type { Answer } from '../sandbox/task.ts'
import { jsonPathFault } from './environment.ts'
import { findByJsonPath } from './find.ts'

const sandbox = createSandbox()
after(() => sandbox.close())

function find(expression: string, root: unknown): unknown {
  return JSON.parse(findByJsonPath(expression, root, 1_000_000))
}

function findInSandbox(expression: string, root: unknown): Promise<Answer> {
  const task = () => ({ kind: 'jsonpath' as const, expression, input: JSON.stringify(root) })
  return sandbox.run('team', task, new AbortController().signal)
}

/** The example of RFC 9535, 1.5. */
const store = {
  store: {
    book: [
      { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 },
      { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honour', price: 12.99 },
      { category: 'fiction', author: 'Herman Melville', title: 'Moby Dick', isbn: '0-553-21311-3', price: 8.99 },
      {
        category: 'fiction',
        author: 'J. R. R. Tolkien',
        title: 'The Lord of the Rings',
        isbn: '0-395-19395-8',
        price: 22.99,
      },
    ],
    bicycle: { color: 'red', price: 399 },
  },
}
const authors = store.store.book.map(({ author }) => author)
const [first, second, third, fourth] = store.store.book

test('the examples of RFC 9535 have the results that it gives', () => {
  const cases: [string, unknown[]][] = [
    ['$.store.book[*].author', authors],
    ['$..author', authors],
    ['$.store..price', [8.95, 12.99, 8.99, 22.99, 399]],
    ['$..book[2]', [third]],
    ['$..book[2].author', ['Herman Melville']],
    ['$..book[2].publisher', []],
    ['$..book[-1]', [fourth]],
    ['$..book[0,1]', [first, second]],
    ['$..book[:2]', [first, second]],
    ['$..book[?@.isbn]', [third, fourth]],
    ['$..book[?@.price<10]', [first, third]],
    ['$', [store]],
    ['$.nothing', []],
  ]
  for (const [expression, expected] of cases) assert.deepEqual(find(expression, store), expected, expression)
})

test('selectors, slices, comparisons and functions follow RFC 9535', () => {
  const cases: [string, unknown, unknown[]][] = [
    ['$[1:5:2]', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['b', 'd']],
    ['$[5:1:-2]', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['f', 'd']],
    ['$[::-1]', [1, 2, 3], [3, 2, 1]],
    ['$[::0]', [1, 2, 3], []],
    ["$['a b','c']", { 'a b': 1, c: 2 }, [1, 2]],
    ['$["\\u263a"]', { '\u263a': 1 }, [1]],
    ['$.*', { a: 1, b: [2] }, [1, [2]]],
    ['$..[0]', [[1], [2, [3]]], [[1], 1, 2, 3]],
    ['$[?@ == null]', [null, 0, false, ''], [null]],
    ['$[?@.a == @.b]', [{ a: 1, b: 1 }, { a: 1 }, {}, { a: [1], b: [1] }], [{ a: 1, b: 1 }, {}, { a: [1], b: [1] }]],
    ['$[?@.a < "b"]', [{ a: 'a' }, { a: 1 }, { a: 'c' }], [{ a: 'a' }]],
    ['$[?!@.a]', [{ a: 0 }, {}], [{}]],
    ['$[?@.a && (@.b || @.c)]', [{ a: 1 }, { a: 1, c: 1 }], [{ a: 1, c: 1 }]],
    ['$[?@ == $[0]]', [1, 2, 1], [1, 1]],
    ['$[?length(@) > 1]', ['ab', 'c', [1, 2], { a: 1 }, 5], ['ab', [1, 2]]],
    [
      '$[?length(@) == 1]',
      ['\u263a', '\u{1f600}', 'ab', '', [5], { a: 1 }, null],
      ['\u263a', '\u{1f600}', [5], { a: 1 }],
    ],
    ['$[?@ < "\u{1f600}"]', ['\uff61', 'a', '\u{1f600}', '\u{1f601}', '\u{1f600}a'], ['\uff61', 'a']],
    ['$[?@ <= "\u{1f600}"]', ['\uff61', '\u{1f600}', '\u{1f601}'], ['\uff61', '\u{1f600}']],
    ['$[?@ > "\uff61"]', ['\uff61', '\u{1f600}', '\uff61a', 'a'], ['\u{1f600}', '\uff61a']],
    ['$[?@ >= "\uff61"]', ['\uff61', '\u{1f600}', 'a', 5, null], ['\uff61', '\u{1f600}']],
    ['$[?@.a <= @.b]', [{ a: 1, b: 2 }, { a: 2, b: 1 }, {}, { a: 1 }], [{ a: 1, b: 2 }, {}]],
    ['$[?count(@.*) == 2]', [[1, 2], [1], { a: 1, b: 2 }], [[1, 2], { a: 1, b: 2 }]],
    ['$[?value(@..a) == 1]', [{ b: { a: 1 } }, { a: 1, b: { a: 1 } }], [{ b: { a: 1 } }]],
    ["$[?match(@, 'a.c')]", ['abc', 'abcd', 'a\nc', 'a\rc', 'a\u2028c', 5], ['abc', 'a\u2028c']],
    ["$[?match(@, 'a[\\\\].]c')]", ['abc', 'a.c', 'a]c'], ['a.c', 'a]c']],
    ["$[?match(@, 'a\\\\[.c')]", ['a[\u2028c', 'a.c', 'a[.'], ['a[\u2028c']],
    ["$[?match(@, '^ab.*$')]", ['abc', 'xab'], ['abc']],
    ["$[?match(@, 'a|ab')]", ['a', 'ab', 'abc'], ['a', 'ab']],
    ["$[?search(@, '[.]\\\\d{2}')]", ['x.12y', 'x12', 'x.1'], ['x.12y']],
    ["$[?match(@, '\\\\p{Lu}+')]", ['ÄB', 'äb'], ['ÄB']],
    ["$[?search(@, '(')]", ['(', 'a'], []],
    ['$[?search("ab", @)]', ['a', 'c', 5], ['a']],
    ['$.__proto__', JSON.parse('{"__proto__": 1}'), [1]],
    ['$.constructor', {}, []],
    ['$.length', [1, 2], []],
  ]
  for (const [expression, root, expected] of cases) assert.deepEqual(find(expression, root), expected, expression)
})

test('an invalid JSONPath is refused at activation', () => {
  const bad = [
    ...[
      '',
      'trigger.a',
      '$.',
      '$[',
      '$.a b',
      '$[01]',
      '$[?@.a = 1]',
      '$[?@.* == 1]',
      '$[?nothing(@)]',
      '$[?length(@)]',
    ],
    ...['$.~a', '$[~]', '$[?# == 1]', `$${'[?$'.repeat(6)}${']'.repeat(6)}`],
    ...['$[?1]', "$['a\n']", '$ ', ' $', '$[9007199254740992]', `$${'.a'.repeat(3000)}`, `$[?${'('.repeat(3000)}@`],
  ]
  for (const expression of bad) assert.equal(typeof jsonPathFault(expression), 'string', expression)
  assert.equal(jsonPathFault('$..book[?@.price < 10].title'), null)
})

slowTest('an endless search is ended, and the next one succeeds', async () => {
  const wide = { a: Array.from({ length: 100 }, () => Array.from({ length: 1000 }, () => 1)) }
  assert.deepEqual(await findInSandbox('$..*..*..*..*..*..*[?@.nothing]', deep(60)), slow)
  assert.deepEqual(await findInSandbox('$.a[*][?$.a[*][?@ == 9]]', wide), slow)
  assert.deepEqual(await findInSandbox("$.a[*][?search($.text, '[ab]*a[ab]{900}[xy]')]", { ...wide, text: ab() }), slow)
  assert.deepEqual(await findInSandbox('$.a', { a: 1 }), { output: '[1]' })
})

test('a query inside a filter finds at most ten thousand values', async () => {
  const list = Array.from({ length: 10_000 }, () => 0)
  assert.deepEqual(await findInSandbox('$.a[?count($.list[*]) == 10000]', { a: [1], list }), { output: '[1]' })
  const fault = 'A query inside a filter finds more than 10000 values.'
  assert.deepEqual(await findInSandbox('$.a[?count($.list[*]) > 0]', { a: [1], list: [...list, 0] }), { fault })
  assert.deepEqual(await findInSandbox('$[?count($..*..*..*..*..*..*) > 0]', deep(60)), { fault })
})

test('a result that is too large for an output is refused while it is found', async () => {
  const answer = await findInSandbox('$..*', { a: Array.from({ length: 1000 }, () => 'x'.repeat(1000)) })
  assert.deepEqual(answer, { fault: 'What it finds has more than 262144 characters as JSON.' })
})

const slow = { fault: 'It took longer than 1 s.', spent: true }

/** Makes many values on many levels. */
function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value, level, level, level]
  return value
}

function ab(): string {
  return Array.from({ length: 60_000 }, (_, index) => 'ab'[((index * index * 7919) % 13) % 2]).join('')
}
