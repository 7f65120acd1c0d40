import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fillDiscord, fillSlack } from '../calls/chat-text.ts'
import { fillAll, fillValues } from '../placeholders/fill.ts'
import { fillBody } from '../placeholders/fill-body.ts'
import { fillUrl } from '../placeholders/fill-url.ts'
import { whileFilling } from './filling.ts'
import { contextOf } from './memory.ts'
import { readOnce } from './read-once.ts'

/** A context of these members, as an execution keeps them. */
function membersAs(texts: Record<string, string>) {
  const memory = { executionId: 'filling', texts: new Map(Object.entries(texts)), triggers: new Set<string>() }
  return contextOf(memory, new Set(Object.keys(texts)))
}

/** Counts how often JSON is parsed meanwhile. */
function countParsed(context: TestContext, work: () => void): number {
  const { mock } = context.mock.method(JSON, 'parse')
  work()
  mock.restore()
  return mock.callCount()
}

/** Members that are slow to parse, and too short to be kept as values. */
const hostile = `{"a":null,"b":[${Array(150).fill('1e400')}]}`

test('a member of the context is parsed once for all placeholders of a config', (t) => {
  const context = membersAs({ trigger: hostile, vars: hostile })
  const texts = { one: '{{vars.a}}'.repeat(4000), two: '{{trigger.a}}{{vars.a}}'.repeat(2000) }
  const parsed = countParsed(t, () =>
    assert.deepEqual(
      whileFilling(context, () => fillAll(texts, context)),
      { one: '', two: '' },
    ),
  )
  assert.equal(parsed, 2)
})

test('a config of more than 10,000 placeholders is refused, in whichever of its texts they are', () => {
  const context = membersAs({ trigger: '{"a":null}', vars: '{}' })
  const fills: ((text: string) => unknown)[] = [
    (text) => fillAll([text, text], context),
    (text) => fillValues({ a: text, b: text }, context),
    (text) => fillBody(text, 'text/plain', context) + fillBody(text, 'application/xml', context),
    (text) => fillSlack(text, context, 1e6) + fillDiscord(text, context, 1e6),
  ]
  for (const fill of fills) {
    const times = (count: number) => whileFilling(context, () => fill('{{trigger.a}}'.repeat(count)))
    times(5000)
    assert.throws(() => times(5001), { kind: 'invalid', message: /more than 10000 placeholders/ })
  }
})

test('the texts of a config count together, however they are filled', () => {
  const context = membersAs({ trigger: JSON.stringify({ a: 'x'.repeat(400_000), list: [['y'.repeat(400_000)]] }) })
  const whole = '{{trigger.a}}'
  const fillTwo = () => fillAll(whole, context) + fillBody(whole, '', context)
  assert.equal(whileFilling(context, fillTwo).length, 800_000)
  const third: (() => unknown)[] = [
    () => fillAll({ text: `${whole}!` }, context),
    () => fillValues({ list: '{{trigger.list}}' }, context),
    () => fillBody(whole, 'application/x-www-form-urlencoded', context),
    () => fillSlack(whole, context, 1e6),
  ]
  for (const fill of third) {
    whileFilling(context, fill)
    const all = () => whileFilling(context, () => [fillTwo(), fill()])
    assert.throws(all, { kind: 'invalid', message: /longer than 1048576 characters/ })
  }
  const addressed = () => [fillTwo(), fillAll('z'.repeat(248_576), context), fillUrl('url', 'https://a.test/', context)]
  assert.throws(() => whileFilling(context, addressed), { kind: 'invalid', message: /longer than 1048576/ })
})

test('a config that reads more than 8 MiB of data is refused, since values take many times as much memory', () => {
  const output = JSON.stringify({ a: 1, rest: 'x'.repeat(262_000) })
  const names = Array.from({ length: 33 }, (_, n) => `node_n${n}`)
  const context = membersAs(Object.fromEntries(names.map((name) => [name, output])))
  const fill = (count: number) => {
    const text = names.slice(0, count).map((name) => `{{${name}.a}}`)
    return whileFilling(context, () => fillAll(text.join(''), context))
  }
  assert.equal(fill(32), '1'.repeat(32))
  assert.throws(() => fill(33), { kind: 'invalid', message: /read more than 8388608 characters of data/ })
})

test('an output that was made again is read as it is now', () => {
  const before = JSON.stringify({ a: 1, rest: 'x'.repeat(2000) })
  const after = before.replace('1', '2')
  for (const [text, a] of [
    [before, 1],
    [after, 2],
    [before, 1],
  ] as const) {
    const memory = { executionId: 'again', texts: new Map([['node_a', text]]) }
    assert.equal((readOnce(memory, 'node_a') as { a: number }).a, a)
  }
})

test('a message to a chat is filled in a time that grows with its length, and stops where it is too long', () => {
  const context = membersAs({ vars: JSON.stringify({ a: '|', long: '|'.repeat(50) }) })
  const link = '<https://a.test/?'
  const filled = whileFilling(context, () => fillSlack(link + '{{vars.a}}'.repeat(9000), context, 40_000))
  assert.equal(filled, link + '%7C'.repeat(9000))
  const long = '{{vars.long}}'.repeat(9000)
  for (const fill of [fillSlack, fillDiscord]) {
    const work = () => whileFilling(context, () => fill(long, context, 40_000))
    assert.throws(work, { kind: 'invalid', message: /^message: must be at most 40000 characters/ })
  }
})
