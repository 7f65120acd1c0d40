import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { startPeer } from '../fixtures/peer.ts'
import { activate } from './fixtures/active.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const address = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

/** Runs all chains to their end, and advances the clock over emails that wait for the limit per second. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(2000)
  }
}

async function assertChain(executions: { status: string; error: string | null }[]): Promise<void> {
  assert.deepEqual(pluck(executions, 'status'), [...Array(5).fill('completed'), 'failed'], JSON.stringify(executions))
  assert.match(executions.at(-1)!.error!, /chain/)
}

/** An http_request node that calls our own API with a key of the team. */
const ownCall = ({ key }: TestTeam, path: string, body: object, more: object = {}) => ({
  type: 'http_request',
  config: {
    method: 'POST',
    url: `${address}${path}`,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...more },
    body: JSON.stringify(body),
  },
})

test('a workflow that calls its own URL stops after five, and the sixth says why', async () => {
  const team = await posthorn.team()
  const call = {
    type: 'http_request',
    config: { method: 'POST', url: '{{trigger.body.next}}', body: '{"next":"{{trigger.body.next}}"}' },
  }
  const workflow = await activate(team, { type: 'webhook_received', config: {} }, call)
  const { body: shown } = await team.api.get(`/v1/workflows/${workflow.id}`)
  const url = new URL(shown.triggerUrl).pathname
  await posthorn.anyone.post(url, { next: address + url })
  for (let turn = 0; turn < 8; turn++) await posthorn.runDueJobs()
  await assertChain(await workflow.executions())
})

slowTest('a workflow whose request sends an email that triggers it stops after five', async () => {
  const team = await posthorn.team()
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' }
  const workflow = await activate(
    team,
    { type: 'email_event', config: { events: ['delivered'] } },
    ownCall(team, '/v1/emails', email),
  )
  await team.api.post('/v1/emails', email)
  await settle()
  await assertChain(await workflow.executions())
  assert.equal((await team.api.get('/v1/emails')).body.total, 6)
})

test('a workflow whose request changes contacts that trigger it stops after five', async () => {
  const team = await posthorn.team()
  const workflow = await activate(
    team,
    { type: 'contact_event', config: { events: ['created'] } },
    ownCall(team, '/v1/contacts', {
      email: '{{trigger.contact.firstName}}x@people.test',
      firstName: '{{trigger.contact.firstName}}x',
    }),
  )
  await team.api.post('/v1/contacts', { email: 'x@people.test', firstName: 'x' })
  await settle()
  await assertChain(await workflow.executions())
})

test('a workflow that starts itself through the API stops after five, whatever headers its author writes', async () => {
  const team = await posthorn.team()
  const { body: made } = await team.api.post('/v1/workflows', { name: 'Again' })
  const path = `/v1/workflows/${made.id}`
  const forged = { 'Posthorn-Execution': '', 'Idempotency-Key': '{{trigger.count}}' }
  const call = ownCall(team, `${path}/executions`, { triggerData: { count: '{{trigger.count}}1' } }, forged)
  await team.api.patch(path, {
    nodes: [
      { id: 't', type: 'manual' },
      { id: 'again', ...call },
    ],
    connections: [{ id: 'c', source: 't', target: 'again' }],
  })
  await team.api.post(`${path}/activate`)
  await team.api.post(`${path}/executions`, { triggerData: { count: '1' } })
  await settle()
  const { body } = await team.api.get(`${path}/executions`)
  await assertChain(body.data.toReversed())
})

test('a server that passes headers on does not end a chain, and a forged signature is ignored', async () => {
  const team = await posthorn.team()
  const peer = await startPeer()
  const workflow = await activate(
    team,
    { type: 'webhook_received', config: {} },
    { type: 'http_request', config: { method: 'POST', url: peer.url } },
  )
  const url = new URL(workflow.body.triggerUrl).pathname
  const seen: string[] = []
  peer.answer = (response, { headers }) => {
    const header = String(headers['posthorn-execution'])
    seen.push(header)
    void posthorn.anyone.post(url, {}, { 'posthorn-execution': header }).then(() => response.end())
  }
  await posthorn.anyone.post(url, {})
  await settle()
  await assertChain(await workflow.executions())
  peer.answer = (response) => response.end()
  const forged = seen[4]!.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  await posthorn.anyone.post(url, {}, { 'posthorn-execution': forged })
  await settle()
  assert.equal((await workflow.executions()).at(-1)!.status, 'completed')
  const data = await workflow.triggerData()
  assert.ok(data.every(({ headers }: { headers: object }) => !('posthorn-execution' in headers)))
})
