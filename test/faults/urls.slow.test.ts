// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPeer } from '../../src/workflows/fixtures/peer.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

type Execution = { id: string; status: string; nodes: { nodeId: string; error: string | null }[] }

test('requests of a team to many different URLs of a megabyte do not fill the memory of a small process', async () => {
  const { first, key } = await workshop.install({
    ...{ EMAIL_PROVIDER: 'capture', OUTBOUND_ALLOW: '127.0.0.0/8', NODE_RETRY_DELAYS: '1s' },
    NODE_OPTIONS: '--max-old-space-size=384',
  })
  const peer = await startPeer()
  const source = "return 'x'.repeat(240000)"
  const long = '{{node_long}}'.repeat(4)
  const nodes = [
    { id: 'start', type: 'manual' },
    { id: 'long', type: 'code', config: { source } },
    ...range(40).map((n) => {
      const config = { method: 'GET', url: `${peer.url}/${long}/{{trigger.n}}/${n}` }
      return { id: `n${n}`, type: 'http_request', config }
    }),
  ]
  const connections = nodes.slice(1).map(({ id }) => {
    return { id: `to-${id}`, source: id === 'long' ? 'start' : 'long', target: id }
  })
  const made = await call(first, key, 'POST', '/v1/workflows', { name: 'Long URLs' })
  const path = `/v1/workflows/${(made.body as Execution).id}`
  assert.equal((await call(first, key, 'PATCH', path, { nodes, connections })).status, 200)
  assert.equal((await call(first, key, 'POST', `${path}/activate`)).status, 200)
  const executions = `${path}/executions`
  for (const n of range(12)) {
    assert.equal((await call(first, key, 'POST', executions, { triggerData: { n } })).status, 200)
  }
  await until('all have ended', async () => {
    assert.equal(first.child.exitCode, null, `the process died: ${first.output().slice(-500)}`)
    const { body } = await call(first, key, 'GET', `${executions}?limit=100`)
    const { data } = body as { data: Execution[] }
    return data.length === 12 && data.every(({ status }) => !['running', 'waiting'].includes(status))
  })
  assert.equal(first.child.exitCode, null)
  const { data } = (await call(first, key, 'GET', `${executions}?limit=1`)).body as { data: Execution[] }
  const detail = (await call(first, key, 'GET', `${executions}/${data[0]!.id}`)).body as Execution
  assert(detail.nodes.some(({ error }) => error?.includes('at most 8192 bytes')))
  assert.deepEqual(peer.asked, [])
})
