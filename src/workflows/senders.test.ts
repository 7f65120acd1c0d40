import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../test/app.ts'
import { activateChain } from './fixtures/workflow.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const { body: own } = await team.api.post('/v1/domains', { name: 'own.test' })
await team.api.post(`/v1/domains/${own.id}/verify`)
const scoped = { ...team, ...(await team.newKey({ permission: 'full_access', domainId: own.id })) }

const email = (from: string) => ({
  type: 'send_email',
  config: { from, to: 'ada@example.com', subject: 'Hello', text: 'Hello' },
})

async function broadcast(from: string) {
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const fields = { name: 'News', from, segmentId: segment.id, subject: 'News', html: '<p>News</p>' }
  const { body, status, text } = await team.api.post('/v1/broadcasts', fields)
  assert.ok(status < 300, text)
  return { type: 'send_broadcast', config: { broadcast_id: body.id } }
}

test('a key restricted to a domain activates workflows that send from that domain, and no others', async () => {
  const foreign = `shop@${team.domain}`
  assert.equal((await activateChain(scoped, [email('Own <a@OWN.test>'), await broadcast('a@own.test')])).status, 200)
  for (const step of [email(foreign), await broadcast(foreign)]) {
    const answer = await activateChain(scoped, [email('a@own.test'), step])
    assert.deepEqual([answer.status, answer.body.name], [403, 'authorization_error'], answer.text)
    assert.match(answer.body.message, /own domain/)
    assert.equal((await activateChain(team, [step])).status, 200)
  }
})

test('it does not activate a workflow whose sender is a placeholder', async () => {
  const step = { type: 'send_broadcast', config: { broadcast_id: '{{trigger.id}}' } }
  for (const unknown of [email('{{trigger.from}}'), email('{{vars.name}} <a@own.test>'), step]) {
    assert.equal((await activateChain(scoped, [unknown])).status, 403)
    assert.equal((await activateChain(team, [unknown])).status, 200)
  }
})

test('it deactivates any workflow, and cannot activate it again', async () => {
  const { body } = await activateChain(team, [email(`shop@${team.domain}`)])
  const path = `/v1/workflows/${body.id}`
  assert.equal((await scoped.api.post(`${path}/activate`)).body.status, 'inactive')
  assert.equal((await scoped.api.post(`${path}/activate`)).status, 403)
  assert.equal((await team.api.get(path)).body.status, 'inactive')
})
