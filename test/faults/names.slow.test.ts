// needs: alone
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { startPeer } from '../../src/workflows/fixtures/peer.ts'
import { startDnsServer } from '../dns.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()
const certificate = new URL('../../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url)
/** Less than the 15 s after which an attempt at a hanging endpoint ends. */
const firstTryMs = 12_000

type Made = { id: string; accessToken: string; data: { status: string; attempts: number }[]; status: string }

async function signUp(server: ServerProcess, name: string) {
  const credentials = { email: `${name}@example.com`, password: 'a long and winding road' }
  const { body } = await call(server, '', 'POST', '/auth/signup', credentials)
  const token = (body as Made).accessToken
  const domain = `${name}.test`
  const made = await call(server, token, 'POST', '/v1/domains', { name: domain })
  await call(server, token, 'POST', `/v1/domains/${(made.body as Made).id}/verify`)
  return { token, email: { from: `a@${domain}`, to: ['b@people.test'], subject: 'Hello', text: 'Hello' } }
}

test('webhooks and requests of a team to names with silent servers delay no other team', async () => {
  const dns = await startDnsServer()
  dns.publish([{ type: 'a', name: 'hooks.example', value: '127.0.0.1' }])
  dns.silence('dead.example')
  const { first, key } = await workshop.install({
    ...{ EMAIL_PROVIDER: 'capture', OUTBOUND_ALLOW: '127.0.0.0/8', DNS_SERVERS: dns.address },
    NODE_EXTRA_CA_CERTS: fileURLToPath(certificate),
  })
  const honest = await signUp(first, 'honest')
  const receiver = await startReceiver()
  const peer = await startPeer()
  const post = async (token: string, path: string, body?: object) => {
    const answer = await call(first, token, 'POST', path, body)
    assert(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as Made
  }
  for (let n = 0; n < 50; n++) {
    const endpointUrl = `https://w${n}.dead.example/hook`
    await post(key, '/v1/webhooks', { endpointUrl, events: ['email.delivered'] })
  }
  const dead = Array.from({ length: 40 }, (_, n) => {
    return { id: `n${n}`, type: 'http_request', config: { method: 'GET', url: `http://r${n}.dead.example/` } }
  })
  const workflowOf = async (token: string, nodes: { id: string }[]) => {
    const { id } = await post(token, '/v1/workflows', { name: 'Requests' })
    const connections = nodes.map((node) => ({ id: `to-${node.id}`, source: 'start', target: node.id }))
    const graph = { nodes: [{ id: 'start', type: 'manual' }, ...nodes], connections }
    assert.equal((await call(first, token, 'PATCH', `/v1/workflows/${id}`, graph)).status, 200)
    await post(token, `/v1/workflows/${id}/activate`)
    return `/v1/workflows/${id}/executions`
  }
  const stuck = await workflowOf(key, dead)
  const url = `${peer.url.replace('127.0.0.1', 'hooks.example')}/asked`
  const sound = await workflowOf(honest.token, [
    { id: 'a', type: 'http_request', config: { method: 'GET', url } } as never,
  ])
  const endpointUrl = receiver.url.replace('127.0.0.1', 'hooks.example')
  const { id } = await post(honest.token, '/v1/webhooks', { endpointUrl, events: ['email.delivered'] })

  await post(key, stuck, {})
  await post(key, '/v1/emails', { ...honest.email, from: 'a@sandbox.test' })
  await until('questions about dead names', () => dns.questions() >= 16)
  const began = performance.now()
  await post(honest.token, '/v1/emails', honest.email)
  const execution = await post(honest.token, sound, {})
  const path = `/v1/webhooks/${id}/deliveries`
  const delivered = await until('the delivery', async () => {
    const { data } = (await call(first, honest.token, 'GET', path)).body as Made
    return data.find(({ status }) => status === 'delivered')
  })
  assert.equal(delivered.attempts, 1)
  await until('the request', async () => {
    return ((await call(first, honest.token, 'GET', `${sound}/${execution.id}`)).body as Made).status === 'completed'
  })
  assert.equal(peer.asked.length, 1)
  assert(performance.now() - began < firstTryMs)
})
