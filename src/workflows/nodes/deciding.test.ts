import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { activateChain, errorOf, nodeOf, outputOf, runChain, type Step } from '../fixtures/workflow.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const minuteMs = 60_000

const run = (step: Step, triggerData: object = {}) => runChain(posthorn, team, [step], triggerData)

test('the history shows the values that a condition compared, with their types', async () => {
  const rule = { left: '{{trigger.order.total}}', operator: 'greater_than', right: '{{trigger.least}}' }
  const more = await run({ type: 'condition', config: rule }, { order: { total: 20 }, least: '9' })
  assert.deepEqual(outputOf(more), { result: true })
  assert.deepEqual(nodeOf(more).inputData, { left: 20, operator: 'greater_than', right: '9' })
  const missing = await run({ type: 'condition', config: rule })
  assert.deepEqual(outputOf(missing), { result: false })
  assert.deepEqual(nodeOf(missing).inputData, { left: null, operator: 'greater_than', right: null })
})

test('the output of a filter says whether the rule held', async () => {
  const config = { any: [{ left: '{{trigger.tags}}', operator: 'contains', right: 'vip' }] }
  assert.deepEqual(outputOf(await run({ type: 'filter', config }, { tags: ['vip'] })), { passed: true })
  assert.deepEqual(outputOf(await run({ type: 'filter', config }, { tags: [] })), { passed: false })
})

slowTest('a rule may compare long values many times, and the history shows their beginnings', async () => {
  const body = `${'x'.repeat(250_000)}needle`
  const asks = (right: string) => ({ left: '{{node_large.body}}', operator: 'contains', right })
  const any = [...['a', 'b', 'c', 'd'].map(asks), asks('needle')]
  const steps = [
    { id: 'large', type: 'code', config: { source: 'return { body: input.trigger.body }' } },
    { id: 'n1', type: 'condition', config: { any } },
  ]
  const done = await runChain(posthorn, team, steps, { body })
  assert.deepEqual(outputOf(done), { result: true })
  const [first] = nodeOf(done).inputData.any
  assert.deepEqual(first, { left: `${'x'.repeat(1000)}…`, operator: 'contains', right: 'a' })
})

slowTest('a rule that compares too much data fails with an error that says so', async () => {
  const rule = { left: '{{trigger.list}}', operator: 'contains', right: 'x' }
  const triggerData = { list: Array(40_000).fill('abcdefghijklmno') }
  const many = await run({ type: 'filter', config: { any: Array(10).fill(rule) } }, triggerData)
  assert.deepEqual(outputOf(many), { passed: false })
  const tooMany = await run({ type: 'filter', config: { any: Array(20).fill(rule) } }, triggerData)
  assert.match(errorOf(tooMany), /compares are longer than 8388608 characters together/)
})

test('a comparison with null tells whether a value exists', async () => {
  const config = { left: '{{trigger.coupon}}', operator: 'equals', right: null }
  const passes = async (triggerData: object) => outputOf(await run({ type: 'filter', config }, triggerData)).passed
  assert.deepEqual(
    [await passes({}), await passes({ coupon: null }), await passes({ coupon: '' }), await passes({ coupon: 0 })],
    [true, true, false, false],
  )
  const other = { ...config, operator: 'not_equals' }
  assert.deepEqual(outputOf(await run({ type: 'filter', config: other }, { coupon: 'x' })), { passed: true })
})

test('a pattern that is invalid once it is filled fails the node with an error that says so', async () => {
  const config = { left: 'a', operator: 'matches', right: '{{trigger.pattern}}' }
  assert.match(errorOf(await run({ type: 'condition', config }, { pattern: '(' })), /pattern cannot be read/)
})

test('a delay counts from its beginning, and its output is the time it waited for', async () => {
  const active = await activateChain(team, [{ type: 'delay', config: { duration: '{{trigger.wait}}' } }])
  const path = `/v1/workflows/${active.body.id}/executions`
  const { body } = await team.api.post(path, { triggerData: { wait: '5m' } })
  await posthorn.runDueJobs()
  const startedAt = posthorn.clock.now().getTime()
  assert.equal((await team.api.get(`${path}/${body.id}`)).body.status, 'waiting')
  await posthorn.runDueJobsAfter(5 * minuteMs - 1)
  assert.equal((await team.api.get(`${path}/${body.id}`)).body.status, 'waiting')
  await posthorn.runDueJobsAfter(1)
  const done = (await team.api.get(`${path}/${body.id}`)).body
  assert.deepEqual(outputOf(done), { until: new Date(startedAt + 5 * minuteMs).toISOString() })
  assert.deepEqual(nodeOf(done).inputData, { duration: '5m' })
})

test('a delay until a past time does not delay', async () => {
  const done = await run({ type: 'delay', config: { until: '{{trigger.at}}' } }, { at: '2020-01-01T01:00:00+01:00' })
  assert.deepEqual(outputOf(done), { until: '2020-01-01T00:00:00.000Z' })
})

test('a delay that is no time once it is filled fails the node, and the error shows what it became', async () => {
  const config = { until: '{{trigger.at}}' }
  assert.match(errorOf(await run({ type: 'delay', config }, { at: 'tomorrow' })), /ISO 8601.*"tomorrow"/)
  assert.match(errorOf(await run({ type: 'delay', config }, { at: '2999-01-01T00:00:00Z' })), /ten years at most/)
  assert.match(errorOf(await run({ type: 'delay', config: { duration: '{{trigger.x}}' } })), /\{\{trigger.x\}\}/)
})

test('transform_data finds values by JSONPath, and makes texts', async () => {
  const items = [
    { name: 'a', price: 5 },
    { name: 'b', price: 20 },
  ]
  const expression = '$.trigger.items[?@.price > 10].name'
  assert.deepEqual(
    outputOf(await run({ type: 'transform_data', config: { mode: 'jsonpath', expression } }, { items })),
    ['b'],
  )
  const template = { mode: 'template', expression: 'First: {{trigger.items[0].name}}, {{trigger.none}}' }
  assert.equal(
    outputOf(await run({ type: 'transform_data', config: template }, { items })),
    'First: a, {{trigger.none}}',
  )
})

test('a JSONPath counts and orders texts by their characters', async () => {
  const find = async (expression: string, l: string[]) =>
    outputOf(await run({ type: 'transform_data', config: { mode: 'jsonpath', expression } }, { l }))
  assert.deepEqual(await find('$.trigger.l[?length(@)==1]', ['☺', '😀', 'ab']), ['☺', '😀'])
  assert.deepEqual(await find('$.trigger.l[?@<"😀"]', ['｡', 'a', '😁']), ['｡', 'a'])
})

test('a JSONPath reads the outputs of earlier nodes', async () => {
  const steps = [
    { id: 'calc', type: 'code', config: { source: 'return { list: [1, 2, 3].map((n) => n * input.trigger.factor) }' } },
    { id: 'pick', type: 'transform_data', config: { mode: 'jsonpath', expression: '$.node_calc.list[-1:]' } },
  ]
  assert.deepEqual(outputOf(await runChain(posthorn, team, steps, { factor: 5 }), 'pick'), [15])
})

test('data does not become part of a JSONPath or of code', async () => {
  const expression = "$.trigger['{{trigger.key}}']"
  const trap = { key: 'secret', secret: 1, "'];//": 2 }
  assert.deepEqual(outputOf(await run({ type: 'transform_data', config: { mode: 'jsonpath', expression } }, trap)), [])
  const source = 'return "{{trigger.key}}"'
  assert.equal(outputOf(await run({ type: 'code', config: { source } }, trap)), '{{trigger.key}}')
})

test('code that throws fails its node at once, with the message and the line', async () => {
  const failed = await run({
    type: 'code',
    config: { source: 'const order = input.trigger.order\nreturn order.total.amount' },
  })
  assert.equal(errorOf(failed), "TypeError: cannot read property 'total' of undefined (line 2)")
  assert.equal(failed.error?.includes('line 2'), true)
})

test('code that returns too much, in characters or in bytes, fails its node', async () => {
  assert.match(errorOf(await run({ type: 'code', config: { source: 'return "x".repeat(300000)' } })), /at most 262144/)
  assert.match(
    errorOf(await run({ type: 'code', config: { source: 'return "\u4e00".repeat(200000)' } })),
    /at most 262144/,
  )
})

test('an output may have characters that PostgreSQL refuses in texts', async () => {
  const source = 'return ["\\u0000", "\\ud800", JSON.parse(\'{"__proto__": 1}\')]'
  const output = outputOf(await run({ type: 'code', config: { source } }))
  assert.equal(JSON.stringify(output), '["\\u0000","\\ud800",{"__proto__":1}]')
})

test('activation refuses configs with faults, and names their paths', async () => {
  const cases: [Step, RegExp][] = [
    [{ type: 'condition', config: {} }, /nodes\[1\]\.config\.left/],
    [{ type: 'filter', config: { left: 'a', operator: 'matches', right: '(' } }, /config\.right/],
    [{ type: 'delay', config: {} }, /either duration or until/],
    [{ type: 'delay', config: { duration: '1m', until: '2030-01-01T00:00:00Z' } }, /either duration or until/],
    [{ type: 'delay', config: { duration: '5 minutes' } }, /config\.duration/],
    [{ type: 'delay', config: { duration: '4000d' } }, /ten years/],
    [{ type: 'delay', config: { until: '2030-02-30T00:00:00Z' } }, /config\.until/],
    [{ type: 'transform_data', config: { mode: 'jsonpath', expression: 'items' } }, /is not a valid JSONPath/],
    [{ type: 'transform_data', config: { mode: 'xpath', expression: '$' } }, /config\.mode/],
    [{ type: 'code', config: { source: 'return (' } }, /is not valid JavaScript.*line/],
    [{ type: 'code', config: { source: '' } }, /config\.source/],
  ]
  for (const [step, expected] of cases) {
    const answer = await activateChain(team, [step])
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, expected)
  }
})
