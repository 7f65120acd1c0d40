import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { activate } from './fixtures/make.ts'
import { startPeer } from './fixtures/peer.ts'
import { chainOf, runWorkflow, type Step } from './fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

/** JSON that holds these numbers as they are written. */
const exact = (digits: string) => JSON.rawJSON(digits)
const id = '8202522731445525543'
const numbers = { id: exact(id), tiny: exact('-1.5e-400'), huge: exact('1e400'), long: exact('0.30000000000000000004') }
const written = JSON.stringify(numbers)

/** Runs the steps once, and returns the execution as its text. */
async function runAsWritten(steps: Step[], triggerData: object): Promise<string> {
  const made = await activate(team, chainOf(steps))
  assert.equal(made.status, 200, made.text)
  const execution = await runWorkflow(posthorn, team, made.body.id, triggerData)
  assert.equal(execution.status, 'completed', JSON.stringify(execution))
  return (await team.api.get(`/v1/workflows/${made.body.id}/executions/${execution.id}`)).text
}

const output = (value: string) => `"outputData":${value}`

test('a number of the trigger is shown, filled in and sent on as it was written', async () => {
  const peer = await startPeer()
  const config = {
    url: `${peer.url}/{{trigger.n.id}}`,
    method: 'POST',
    headers: { 'X-Id': '{{trigger.n.id}}' },
    body: '{"whole": {{trigger.n}}, "text": "no {{trigger.n.huge}}"}',
  }
  const text = await runAsWritten([{ type: 'http_request', config }], { n: numbers })
  assert(text.includes(`"triggerData":{"n":${written}}`), text)
  const { path, headers, body } = peer.asked[0]!
  assert.deepEqual([path, headers['x-id'], body], [`/${id}`, id, `{"whole": ${written}, "text": "no 1e400"}`])
})

test('a number of the public URL is kept, also in a list and as the whole body', async () => {
  const { status, body: workflow, text } = await activate(team, chainOf([], { type: 'webhook_received' }))
  assert.equal(status, 200, text)
  for (const body of [`[1,${id},{"a":1e-400}]`, id, '1e400']) {
    const answer = await ok(posthorn.anyone.post(`/v1/workflows/triggers/${workflow.triggerKey}`, body))
    const path = `/v1/workflows/${workflow.id}/executions/${answer.executionId}`
    assert((await team.api.get(path)).text.includes(`"body":${body}}`), body)
  }
})

test('outputs of code and of searches have the digits of their inputs', async () => {
  const steps = [
    { type: 'code', config: { source: 'return { whole: input.trigger.n, next: input.trigger.n.id + 1n }' } },
    { type: 'transform_data', config: { mode: 'jsonpath', expression: '$.node_n1.next' } },
    { type: 'transform_data', config: { mode: 'jsonpath', expression: '$.trigger..*' } },
    { type: 'transform_data', config: { mode: 'template', expression: '{{trigger.n.id}} {{node_n1.whole.long}}' } },
  ]
  const text = await runAsWritten(steps, { n: numbers })
  assert(text.includes(output(`{"whole":${written},"next":8202522731445525544}`)), text)
  assert(text.includes(output('[8202522731445525544]')), text)
  assert(text.includes(output(`[${written},${Object.values(numbers).map((number) => JSON.stringify(number))}]`)), text)
  assert(text.includes(output(`"${id} 0.30000000000000000004"`)), text)
})

test('a search compares numbers by all their digits', async () => {
  const list = ['8202522731445525542', id, '8202522731445525544', '1', '1e400'].map((digits) => ({ n: exact(digits) }))
  for (const [filter, found] of [
    [`@.n == ${id}`, [1]],
    [`@.n != ${id}`, [0, 2, 3, 4]],
    [`@.n < ${id}`, [0, 3]],
    [`@.n >= ${id}`, [1, 2, 4]],
    ['@ == $.trigger.one', [1]],
    ['@.n == 8202522731445525500', []],
    ['@.n > "1"', []],
  ] as const) {
    const config = { mode: 'jsonpath', expression: `$.trigger.list[?${filter}]` }
    const text = await runAsWritten([{ type: 'transform_data', config }], { list, one: { n: exact(id) } })
    assert(text.includes(output(JSON.stringify(found.map((index) => list[index])))), `${filter}: ${text}`)
  }
})

slowTest('a condition compares numbers by all their digits, also with a text and in the rule itself', async () => {
  const data = { a: exact(id), b: exact('8202522731445525544'), same: exact(`${id}.0`), list: [1, exact(id)] }
  for (const [left, operator, right, expected] of [
    ['{{trigger.a}}', 'equals', '{{trigger.b}}', false],
    ['{{trigger.a}}', 'equals', '{{trigger.same}}', true],
    ['{{trigger.a}}', 'equals', exact(id), true],
    ['{{trigger.a}}', 'equals', exact('8202522731445525542'), false],
    ['{{trigger.a}}', 'equals', id, true],
    ['{{trigger.a}}', 'less_than', '{{trigger.b}}', true],
    ['{{trigger.b}}', 'greater_than', id, true],
    ['{{trigger.a}}', 'greater_than', 5, true],
    ['{{trigger.a}}', 'less_than', exact('1e400'), true],
    ['{{trigger.a}}', 'less_than', 'x', false],
    ['{{trigger.list}}', 'contains', '{{trigger.a}}', true],
    ['{{trigger.list}}', 'contains', '{{trigger.b}}', false],
    ['{{trigger.a}}', 'ends_with', '543', true],
  ] as const) {
    const step = { type: 'condition', config: { left, operator, right } }
    const text = await runAsWritten([step], data).catch((error) => String(error))
    assert(text.includes(output(`{"result":${expected}}`)), `${left} ${operator} ${JSON.stringify(right)}: ${text}`)
  }
})

test('a property and a variable take the digits of a value', async () => {
  await team.api.post('/v1/contacts', { email: 'ada@example.com' })
  const from = `shop@${team.domain}`
  const mail = { from, to: 'ada@example.com', subject: '{{n}} {{trigger.n.id}}', text: '{{n}}' }
  await runAsWritten(
    [
      {
        type: 'update_contact',
        config: { contact: 'ada@example.com', properties: { n: '{{trigger.n}}', m: exact(id) } },
      },
      { type: 'send_email', config: { ...mail, template_variables: { n: exact('1e400') } } },
    ],
    { n: numbers },
  )
  const { data } = (await team.api.get('/v1/contacts')).body
  const { text } = await team.api.get(`/v1/contacts/${data[0].id}`)
  for (const number of [id, '1e400', '-1.5e-400', '0.30000000000000000004']) assert(text.includes(`:${number}`), text)
  assert(text.includes(`"m":${id}`), text)
  const { body } = await team.api.get('/v1/emails')
  assert.equal(body.data[0].subject, `1e400 ${id}`)
})

test('a number past 1,000 digits is refused by the name of its field', async () => {
  const { body } = await activate(team, chainOf([]))
  const answer = await team.api.post(`/v1/workflows/${body.id}/executions`, `{"triggerData":{"a":[1e1000]}}`)
  assert.deepEqual([answer.status, answer.body.errors?.[0]?.path ?? answer.body.message], [400, 'triggerData.a[0]'])
})
