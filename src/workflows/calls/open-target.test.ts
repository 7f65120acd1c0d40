import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { activateChain, chainOf, errorOf, outputOf, runChain, runWorkflow } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const token = 'Secret-Token-4711'
const peer = await startPeer()
const { port } = new URL(peer.url)
const stepOf = (config: object) => ({ type: 'http_request', config: { method: 'GET', ...config } })
const run = (config: object, triggerData: object) => runChain(posthorn, team, [stepOf(config)], triggerData)

async function bearer(allowedHosts?: string[]) {
  const fields = { name: 'Bearer', type: 'bearer', secret: { token }, ...(allowedHosts && { allowedHosts }) }
  const body = await ok(team.api.post('/v1/credentials', fields))
  return { auth_type: 'bearer', credential_id: body.id as string }
}

/** Runs a node whose config only an older release accepted. */
async function runUnchecked(config: object, triggerData: object) {
  const active = await activateChain(team, [stepOf({ url: 'https://example.com' })])
  await posthorn.app.db
    .updateTable('workflow_graphs')
    .set({ nodes: JSON.stringify(chainOf([stepOf(config)]).nodes) } as never)
    .where('workflow_id', '=', active.body.id)
    .execute()
  return runWorkflow(posthorn, team, active.body.id, triggerData)
}

test('a value stays in its segment or parameter, and cannot send the credential elsewhere', async () => {
  const auth = await bearer()
  const url = `${peer.url}/orders/{{trigger.body.id}}?note={{trigger.body.note}}&keep=1`
  const body = { id: '../../admin/delete?confirm=1', note: 'a&keep=2#x\r\nX-Evil: 1' }
  outputOf(await run({ ...auth, url }, { body }))
  const asked = peer.asked.at(-1)!
  const path = '/orders/..%2F..%2Fadmin%2Fdelete%3Fconfirm%3D1?note=a%26keep%3D2%23x%0D%0AX-Evil%3A%201&keep=1'
  assert.deepEqual([asked.path, asked.headers.authorization], [path, `Bearer ${token}`])
})

test('a segment that becomes dots fails the node at once, and nothing is sent', async () => {
  const before = [posthorn.clock.now(), peer.asked.length]
  for (const id of ['..', '.']) {
    const error = errorOf(await run({ url: `${peer.url}/orders/{{trigger.id}}/items` }, { id }))
    assert.match(error, /^url: a segment of the path became/)
  }
  assert.deepEqual([posthorn.clock.now(), peer.asked.length], before)
})

test('a URL that is one placeholder is called without a credential, and refused with one', async () => {
  outputOf(await run({ url: '{{trigger.url}}' }, { url: `${peer.url}/whole?a=b/c` }))
  assert.equal(peer.asked.at(-1)!.path, '/whole?a=b/c')
  const answer = await activateChain(team, [stepOf({ ...(await bearer()), url: '{{trigger.url}}' })])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.url'])
  assert.match(answer.body.message, /written out where auth_type is not none.*\(node "n1"\)/)
})

test('activation refuses a placeholder in the scheme, host or port of a call with a credential, or in the credential', async () => {
  const auth = await bearer()
  for (const url of [
    '{{trigger.x}}/orders',
    'https://{{trigger.x}}/orders',
    'https://{{trigger.x}}.example.com/orders',
    'https://example.com{{trigger.x}}',
    'https://example.com:{{trigger.x}}/orders',
    'https://example.com\t{{trigger.x}}',
  ]) {
    const answer = await activateChain(team, [stepOf({ ...auth, url })])
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.url'], url)
  }
  const open = { ...auth, url: 'https://example.com/', credential_id: '{{trigger.body.c}}' }
  const answer = await activateChain(team, [stepOf(open)])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.credential_id'])
  assert.match(answer.body.message, /not a placeholder \(node "n1"\)/)
})

test('a graph of an older release fails without a call if a value would choose the host or the credential', async () => {
  const auth = await bearer()
  const before = peer.asked.length
  const host = await runUnchecked({ ...auth, url: 'http://127.0.0.1{{trigger.x}}' }, { x: `:${port}/` })
  assert.match(errorOf(host), /^url: must begin with a scheme and a host that are written out/)
  const { credential_id } = auth
  const chosen = await runUnchecked({ ...auth, url: peer.url, credential_id: '{{trigger.x}}' }, { x: credential_id })
  assert.match(errorOf(chosen), /^credential_id: must be the id of a credential/)
  assert.equal(peer.asked.length, before)
})

test('a credential that is limited to hosts is sent to these hosts only', async () => {
  const bound = await bearer([`127.0.0.1:${port}`, '*.example.com'])
  outputOf(await run({ ...bound, url: peer.url }, {}))
  assert.equal(peer.asked.at(-1)!.headers.authorization, `Bearer ${token}`)
  const other = await startPeer()
  const step = stepOf({ ...bound, url: `${other.url}/{{trigger.x}}` })
  const answer = await activateChain(team, [step])
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.credential_id'])
  const error = errorOf(await runUnchecked({ ...bound, url: other.url }, {}))
  const { host } = new URL(other.url)
  assert.equal(
    error,
    `credential_id: is a credential for 127.0.0.1:${port}, *.example.com alone, and the URL leads to ${host}`,
  )
  assert.equal(other.asked.length, 0)
})
