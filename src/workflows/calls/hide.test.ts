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

test('headers have at most 16 KiB together, written or filled, so that an answer is searched for them quickly', async () => {
  const peer = await startPeer()
  peer.answer = (response, { headers }) => response.end(headers['x-token'] as string)
  const token = `${'a'.repeat(8000)}b`
  const most = { 'X-Token': token, 'X-Rest': 'r'.repeat(16_384 - 8001 - 13) }
  assert.equal(outputOf(await call({ url: peer.url, headers: { 'X-Token': token } })).body, '[redacted]')
  const accepted = { url: peer.url, method: 'GET', headers: most }
  assert.equal((await activateChain(team, [{ type: 'http_request', config: accepted }])).status, 200)
  const longer = { ...most, 'X-Rest': `${most['X-Rest']}r` }
  const config = { url: peer.url, method: 'GET', headers: longer }
  const { status, body } = await activateChain(team, [{ type: 'http_request', config }])
  assert.deepEqual([status, body.errors[0].path], [400, 'nodes[1].config.headers'])
  const filled = { ...most, 'X-Rest': '{{trigger.rest}}' }
  const failed = await call({ url: peer.url, headers: filled }, { rest: longer['X-Rest'] })
  assert.match(errorOf(failed), /^headers: must be at most 16384 bytes together, names and values; they are 16385/)
  assert.equal(peer.asked.length, 1)
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
