import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptMs } from '../../../test/patience.ts'
import { pluck } from '../../../test/pluck.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import type { Context } from '../nodes/node.ts'
import { ruleFaults } from './faults.ts'
import { fillSides } from './fill-sides.ts'
import { holds } from './holds.ts'
import { type Operator, type Rule, RuleConfig } from './rule.ts'

const context: Context = {
  trigger: {
    ...{
      n: 5,
      text: 'Hello World',
      five: '5',
      list: ['a', 5, null],
      object: { a: 1 },
      yes: true,
      nothing: null,
      empty: '',
    },
    zip: '007',
    long: '12345678901234567890',
    at: '2026-01-31T09:30:00Z',
  },
  vars: {},
}

function decide(rule: Rule): boolean {
  return holds(fillSides(rule, context))
}

function check(left: unknown, operator: Operator, right: unknown, expected: boolean): void {
  assert.equal(decide({ left, operator, right }), expected, JSON.stringify([left, operator, right]))
}

test('numbers are compared as numbers, and other values as texts', () => {
  const equal: [unknown, unknown][] = [
    ['{{trigger.n}}', 5],
    ['{{trigger.n}}', '5'],
    ['{{trigger.n}}', '5.0'],
    ['{{trigger.five}}', '5'],
    ['{{trigger.yes}}', true],
    ['{{trigger.yes}}', 'true'],
    ['a {{trigger.n}}', 'a 5'],
    ['{{trigger.nothing}}', ''],
    ['{{trigger.missing}}', '{{trigger.nothing}}'],
    ['{{trigger.object}}', '{"a":1}'],
    ['{{trigger.list}}', '["a",5,null]'],
  ]
  const different: [unknown, unknown][] = [
    ['{{trigger.zip}}', '7'],
    ['{{trigger.long}}', '12345678901234567891'],
    ['{{trigger.text}}', 'hello world'],
    ['{{trigger.n}}', ' 5'],
    ['{{trigger.n}}', ''],
    ['{{trigger.missing}}', '0'],
    ['{{trigger.n}}', '0x5'],
  ]
  for (const [left, right] of equal) {
    check(left, 'equals', right, true)
    check(left, 'not_equals', right, false)
  }
  for (const [left, right] of different) {
    check(left, 'equals', right, false)
    check(left, 'not_equals', right, true)
  }
})

test('null on the right equals only null and missing values', () => {
  for (const left of ['{{trigger.nothing}}', '{{trigger.missing}}']) {
    check(left, 'equals', null, true)
    check(left, 'not_equals', null, false)
  }
  for (const left of ['{{trigger.empty}}', '{{trigger.n}}', '{{trigger.list}}', 'null', 0, false]) {
    check(left, 'equals', null, false)
    check(left, 'not_equals', null, true)
  }
  check('{{trigger.list}}', 'contains', null, true)
  check('{{trigger.object}}', 'contains', null, false)
  check('{{trigger.n}}', 'greater_than', null, false)
})

test('a right side that is missing is no part of any text, so that nothing passes a filter whose variable is missing', () => {
  const words = ['contains', 'starts_with', 'ends_with', 'matches'] as const
  for (const left of ['{{trigger.text}}', '{{trigger.n}}', '{{trigger.empty}}', '{{trigger.missing}}']) {
    for (const right of [null, '{{trigger.missing}}', '{{vars.none}}'])
      for (const operator of words) check(left, operator, right, false)
    check(left, 'not_contains', '{{trigger.missing}}', true)
    for (const operator of words) check(left, operator, '{{trigger.empty}}', true)
  }
  check('{{trigger.list}}', 'contains', '{{trigger.missing}}', true)
})

test('a text contains its parts, and a list contains its members', () => {
  check('{{trigger.text}}', 'contains', 'lo W', true)
  check('{{trigger.text}}', 'contains', 'lo w', false)
  check('{{trigger.text}}', 'not_contains', 'x', true)
  check('{{trigger.list}}', 'contains', '5', true)
  check('{{trigger.list}}', 'contains', 'a', true)
  check('{{trigger.list}}', 'contains', 'b', false)
  check('{{trigger.list}}', 'not_contains', 'b', true)
  check('{{trigger.object}}', 'contains', 'a', false)
  check('{{trigger.missing}}', 'contains', 'trigger', false)
})

test('starts_with and ends_with compare texts', () => {
  check('{{trigger.text}}', 'starts_with', 'Hello', true)
  check('{{trigger.text}}', 'starts_with', 'World', false)
  check('{{trigger.text}}', 'ends_with', 'World', true)
  check('{{trigger.n}}', 'starts_with', 5, true)
  check('{{trigger.list}}', 'starts_with', '[', false)
})

test('only numbers and times have an order', () => {
  check('{{trigger.n}}', 'greater_than', 4, true)
  check('{{trigger.n}}', 'greater_than', '10', false)
  check('{{trigger.n}}', 'less_than', '10', true)
  check('{{trigger.n}}', 'less_than', 5, false)
  check('{{trigger.at}}', 'greater_than', '2026-01-31T10:00:00+01:00', true)
  check('{{trigger.at}}', 'less_than', '2026-01-31T09:30:00.001Z', true)
  check('{{trigger.text}}', 'greater_than', 'A', false)
  check('{{trigger.at}}', 'greater_than', 5, false)
  check('{{trigger.missing}}', 'less_than', 5, false)
})

test('a value that is not null exists', () => {
  for (const path of ['n', 'empty', 'list', 'object']) check(`{{trigger.${path}}}`, 'exists', undefined, true)
  for (const path of ['nothing', 'missing', 'n.x']) {
    check(`{{trigger.${path}}}`, 'exists', undefined, false)
    check(`{{trigger.${path}}}`, 'not_exists', '', true)
  }
})

test('a pattern has the syntax of RE2, and matches anywhere unless it is anchored', () => {
  check('{{trigger.text}}', 'matches', 'o\\sW', true)
  check('{{trigger.text}}', 'matches', '^world', false)
  check('{{trigger.text}}', 'matches', '(?i)world$', true)
  check('{{trigger.n}}', 'matches', '^\\d+$', true)
  assert.throws(() => decide({ left: 'a', operator: 'matches', right: '{{trigger.text}}(' }), { kind: 'invalid' })
})

test('a hostile pattern costs little, or is refused', () => {
  const started = performance.now()
  assert.equal(holds({ left: 'a'.repeat(50_000), operator: 'matches', right: '(a+)+$' }), true)
  const hard = { left: 'ab'.repeat(30_000), operator: 'matches', right: '[ab]*a[ab]{900}[xy]' } as const
  assert.throws(() => holds(hard), { kind: 'invalid', message: /too much work/ })
  assert.throws(() => holds({ any: Array<Rule>(100).fill({ ...hard, left: 'ab' }) }), { kind: 'invalid' })
  assert(performance.now() - started < promptMs)
})

test('decimal texts are compared by all their digits', () => {
  check('123456789012345.1', 'equals', '123456789012345.101', false)
  check('123456789012345.1', 'equals', '123456789012345.10', true)
  check('123456789012345.1', 'less_than', '123456789012345.101', true)
  check('0.100000000000001', 'equals', '0.1', false)
  check('-0', 'equals', '0', true)
  check('-123456789012345.2', 'less_than', '-123456789012345.1', true)
})

test('groups of all and any can be nested', () => {
  const yes: Rule = { left: 1, operator: 'equals', right: 1 }
  const no: Rule = { left: 1, operator: 'equals', right: 2 }
  assert.equal(decide({ all: [yes, yes] }), true)
  assert.equal(decide({ all: [yes, no] }), false)
  assert.equal(decide({ any: [no, yes] }), true)
  assert.equal(decide({ any: [no, no] }), false)
  assert.equal(decide({ all: [yes, { any: [no, { all: [yes] }] }] }), true)
})

test('the values that one rule compares have a limit', () => {
  const long: Context = { trigger: { list: Array(100_000).fill('abc') }, vars: {} }
  const rule: Rule = { left: '{{trigger.list}}', operator: 'exists' }
  const times = (count: number) => fillSides({ all: Array(count).fill(rule) }, long)
  assert.equal(times(13).all![12]!.left, (long.trigger as { list: string[] }).list)
  assert.throws(() => times(14), { kind: 'invalid', message: /longer than/ })
  const numbers: Context = { trigger: { list: Array(130_000).fill(7) }, vars: {} }
  const many = (count: number) => fillSides({ all: Array(count).fill(rule) }, numbers)
  assert.equal(many(15).all!.length, 15)
  assert.throws(() => many(16), { kind: 'invalid', message: /more than 2000000 members/ })
  const written: Rule = { left: 'a{{trigger.list}}', operator: 'exists' }
  assert.throws(() => fillSides({ all: [written, written] }, long), { kind: 'invalid', message: /longer than 1048576/ })
})

const inSchema = faultFinder(RuleConfig)
const pathsOf = (rule: unknown) => [...inSchema(rule), ...ruleFaults(rule as Rule)].map(({ path }) => path)

test('a rule that cannot be decided is a fault with its path', () => {
  const right = { left: 'a', operator: 'equals', right: 'b' }
  const nested = (depth: number): object => (depth === 0 ? right : { all: [nested(depth - 1)] })
  const cases: [unknown, string[]][] = [
    [right, []],
    [{ left: 'a', operator: 'exists' }, []],
    [{ left: 0, operator: 'less_than', right: false }, []],
    [nested(3), []],
    [{}, ['left', 'operator']],
    [{ left: 'a' }, ['operator']],
    [{ operator: 'equals', right: null }, ['left']],
    [{ operator: 'matches', right: '(' }, ['left', 'right']],
    [{ left: 'a', operator: 'equals' }, ['right']],
    [{ left: 'a', operator: 'matches', right: '(' }, ['right']],
    [{ left: 'a', operator: 'matches', right: '(?=a)' }, ['right']],
    [{ left: 'a', operator: 'matches', right: 'a'.repeat(1001) }, ['right']],
    [{ left: 'a', operator: 'matches', right: '({{trigger.x}}' }, []],
    [{ all: [right, { any: [{ left: 'a', operator: 'equals' }] }] }, ['all[1].any[0].right']],
    [{ all: [right], any: [right] }, ['']],
    [{ all: [right], left: 'a' }, ['']],
    [{ any: Array(100).fill(right) }, []],
    [{ all: [{ any: Array(60).fill(right) }, { any: Array(60).fill(right) }] }, ['']],
  ]
  for (const [rule, paths] of cases) assert.deepEqual(pathsOf(rule), paths, JSON.stringify(rule).slice(0, 100))
  assert.deepEqual(pluck(inSchema({ left: 'a', operator: 'like', right: 'b' }), 'path'), ['operator'])
  assert.deepEqual(pluck(inSchema({ left: ['a'], operator: 'equals', right: 'b' }), 'path'), ['left'])
  assert.equal(inSchema(nested(4)).length > 0, true)
  assert.equal(inSchema({ all: [] }).length > 0, true)
})
