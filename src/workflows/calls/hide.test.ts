import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { activateChain, errorOf, nodeOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const secret = 'Secret-Token-4711'
const call = (config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'http_request', config: { method: 'GET', ...config } }], triggerData)

test('secret headers are sent, and hidden in the history, also if the answer repeats them', async () => {
  const peer = await startPeer()
  peer.answer = (response, { headers }) => response.end(JSON.stringify(headers))
  const headers = {
    Authorization: `Bearer ${secret}`,
    'X-API-Key': secret,
    cookie: `session=${secret}`,
    'X-Auth-Token': `${secret}-{{vars.none}}`,
    'X-Order': '4711',
  }
  const execution = await call({ url: peer.url, headers })
  const [asked] = peer.asked
  assert.deepEqual([asked!.headers.authorization, asked!.headers['x-api-key']], [`Bearer ${secret}`, secret])
  const shown = { Authorization: '[hidden]', 'X-API-Key': '[hidden]', cookie: '[hidden]', 'X-Auth-Token': '[hidden]' }
  assert.deepEqual(nodeOf(execution).inputData.headers, { ...shown, 'X-Order': '4711' })
  assert.match(outputOf(execution).body, /"x-order":"4711"/)
  assert(!JSON.stringify(execution).includes(secret))
  const list = await team.api.get(`/v1/workflows/${execution.workflowId}/executions`)
  assert(!list.text.includes(secret))
})

test('an error about the value of such a header does not show it', async () => {
  const execution = await call(
    { url: 'https://example.com', headers: { 'X-Api-Key': '{{trigger.key}}' } },
    { key: 'a\nb' },
  )
  assert.match(errorOf(execution), /^headers\.X-Api-Key: must be one line.*it became "\[hidden\]"$/)
})

test('the graph shows secret headers as they were saved', async () => {
  const headers = { Authorization: `Bearer ${secret}` }
  const config = { url: 'https://example.com', method: 'GET', headers }
  const active = await activateChain(team, [{ type: 'http_request', config }])
  const { body } = await team.api.get(`/v1/workflows/${active.body.id}`)
  assert.deepEqual(body.nodes[1].config, config)
})

for (const type of ['slack_notification', 'discord_notification']) {
  test(`the history shows only the host of the URL of ${type}`, async () => {
    const peer = await startPeer()
    for (const [webhook_url, shown] of [
      [`${peer.url}/services/${secret}`, `${peer.url}/[hidden]`],
      ['{{trigger.url}}', `${peer.url}/[hidden]`],
    ]) {
      const config = { webhook_url, message: 'Hello' }
      const url = `${peer.url}/services/${secret}`
      const execution = await runChain(posthorn, team, [{ type, config }], { url })
      assert.equal(execution.status, 'completed')
      assert.deepEqual(nodeOf(execution).inputData, { webhook_url: shown, message: 'Hello' })
    }
    assert.equal(peer.asked.length, 2)
  })
}
