import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../app.ts'
import { pluck } from '../pluck.ts'

const posthorn = await sharedTestApp()

async function withTestKey() {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  return { team, trial: posthorn.as(key.key) }
}

test('a test key makes, publishes, sends and deletes templates that no live key sees', async () => {
  const { team, trial } = await withTestKey()
  const made = await trial.post('/v1/templates', { name: 'Trial', text: 'Hello {{name}}' })
  assert.deepEqual([made.status, made.body.mode, made.body.status], [200, 'test', 'draft'], made.text)
  const path = `/v1/templates/${made.body.id}`
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', templateId: made.body.id }
  assert.equal((await trial.post('/v1/emails', email)).status, 422)
  assert.equal((await trial.patch(path, { status: 'published' })).body.status, 'published')
  const { headers } = await trial.get(path)
  assert.equal((await trial.patch(path, { name: 'Mine' }, { 'if-match': headers.etag! })).status, 200)
  const sent = await trial.post('/v1/emails', { ...email, templateVariables: { name: 'Ada' } })
  assert.equal((await trial.get(`/v1/emails/${sent.body.id}`)).body.text, 'Hello Ada', sent.text)
  assert.equal((await team.api.get(path)).status, 404)
  assert.deepEqual((await team.api.get('/v1/templates')).body.data, [])
  assert.equal((await team.api.post('/v1/emails', email)).status, 422)
  const { api: developer } = await team.member('developer')
  assert.equal((await developer.get(`${path}?mode=test`)).body.mode, 'test')
  assert.equal((await trial.delete(path)).status, 200)
})

test('a test key sends a published live template and changes none, and sees no live draft', async () => {
  const { team, trial } = await withTestKey()
  const { body: live } = await team.api.post('/v1/templates', { name: 'Welcome', text: 'Pay to A' })
  const path = `/v1/templates/${live.id}`
  assert.equal((await trial.get(path)).status, 404)
  await team.api.patch(path, { status: 'published' })
  assert.deepEqual(
    ['mode' in (await trial.get(path)).body, (await trial.get('/v1/templates')).body.data.length],
    [false, 1],
  )
  for (const refused of [await trial.patch(path, { text: 'Pay to B' }), await trial.delete(path)]) {
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.body.message, /This template is live/)
  }
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hello', templateId: live.id }
  assert.equal((await trial.post('/v1/emails', email)).status, 200)
  assert.equal((await team.api.get(path)).body.text, 'Pay to A')
})

test('a test key makes and sends WhatsApp templates of its own, beside live ones of the same name', async () => {
  const { team, trial } = await withTestKey()
  const number = { phoneNumber: '+447700900188', wabaId: 'waba-188', phoneNumberId: 'phone-188' }
  const { body: sender } = await team.api.post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  const { body: live } = await team.api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' })
  const made = await trial.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hi {{1}}' })
  assert.deepEqual([made.status, made.body.mode], [200, 'test'], made.text)
  assert.equal((await trial.post(`/v1/whatsapp/templates/${made.body.id}/submit`)).body.status, 'submitted')
  const message = { senderId: sender.id, to: '+447700900456', templateId: made.body.id, variables: ['Ada'] }
  assert.equal((await trial.post('/v1/whatsapp/messages', message)).body.body, 'Hi Ada')
  assert.equal((await team.api.post('/v1/whatsapp/messages', message)).status, 400)
  assert.deepEqual(pluck((await team.api.get('/v1/whatsapp/templates')).body.data, 'id'), [live.id])
  assert.equal((await trial.patch(`/v1/whatsapp/templates/${live.id}`, { body: 'Mine' })).status, 403)
  assert.equal((await trial.delete(`/v1/whatsapp/templates/${live.id}`)).status, 403)
  assert.equal((await trial.delete(`/v1/whatsapp/templates/${made.body.id}`)).status, 200)
})

test('a test key sees and ends test keys only, and a live key sees both', async () => {
  const { team, trial } = await withTestKey()
  const { body: live } = await team.api.post('/v1/api-keys', { name: 'Live', permission: 'full_access' })
  const { body: other } = await team.api.post('/v1/api-keys', { name: 'Other', mode: 'test' })
  const path = `/v1/api-keys/${live.id}`
  const modes = ({ body }: Awaited<ReturnType<typeof trial.get>>) =>
    new Set(body.data.map(({ mode }: { mode: string }) => mode))
  assert.deepEqual(modes(await trial.get('/v1/api-keys')), new Set(['test']))
  assert.deepEqual(modes(await team.api.get('/v1/api-keys')), new Set(['live', 'test']))
  for (const hidden of [await trial.get(path), await trial.patch(path, { name: 'x' }), await trial.delete(path)]) {
    assert.equal(hidden.status, 404, hidden.text)
  }
  assert.equal((await trial.patch(`/v1/api-keys/${other.id}`, { name: 'Mine' })).status, 200)
  assert.equal((await trial.delete(`/v1/api-keys/${other.id}`)).status, 200)
  assert.equal((await posthorn.as(live.key).get('/v1/contacts')).status, 200)
})
