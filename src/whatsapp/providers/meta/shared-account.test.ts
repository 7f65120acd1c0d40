import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../../test/app.ts'
import { change, phoneNumberId, signedCall, startMeta, wabaId } from './fixtures/meta.ts'

const meta = await startMeta()
const posthorn = await createTestApp(meta.environment)

/** Two teams with different numbers in one WhatsApp Business Account. */
const [ours, theirs] = [await teamWith('+61491570156', phoneNumberId), await teamWith('+15550000001', '1')]

async function teamWith(phoneNumber: string, id: string): Promise<TestTeam> {
  const team = await posthorn.team()
  const sender = { name: 'Shop', phoneNumber, wabaId, phoneNumberId: id }
  const made = await ok(team.api.post('/v1/whatsapp/senders', sender))
  assert.equal((await ok(team.api.post(`/v1/whatsapp/senders/${made.id}/verify`))).status, 'active')
  return team
}

async function template({ api }: TestTeam, name: string, body = 'Hello') {
  const made = await ok(api.post('/v1/whatsapp/templates', { name, body }))
  const path = `/v1/whatsapp/templates/${made.id}`
  return { path, read: () => ok(api.get(path)), submit: () => api.post(`${path}/submit`) }
}

async function review(name: string, event: string) {
  const value = { event, message_template_name: name, message_template_language: 'en', reason: 'NONE' }
  const call = signedCall(change('message_template_status_update', value))
  await ok(posthorn.anyone.post('/providers/meta/whatsapp', call.body, call.headers))
}

test('a template name in an account belongs to the team that submitted it first, and another team’s is neither edited nor approved', async () => {
  const [first, second] = [await template(ours, 'order'), await template(theirs, 'order', 'Buy now')]
  await ok(first.submit())
  const refused = await second.submit()
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  assert.match(refused.body.message, /has that name in that language/)
  assert.equal((await second.read()).status, 'draft')
  await review('order', 'APPROVED')
  assert.deepEqual([(await first.read()).status, (await second.read()).status], ['approved', 'draft'])
  assert.equal((await second.submit()).status, 409)
  await ok(theirs.api.patch(second.path, { language: 'de' }))
  assert.equal((await ok(second.submit())).status, 'submitted')
  await review('order', 'DISABLED')
  assert.deepEqual([(await first.read()).status, (await second.read()).status], ['disabled', 'submitted'])
  assert.deepEqual(meta.edited, [])
})

test('exactly one of two teams that submit a name at the same time gets it', async () => {
  const both = [await template(ours, 'race'), await template(theirs, 'race')]
  const answers = await Promise.all(both.map(({ submit }) => submit()))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.deepEqual(meta.edited, [])
})

test('a template that the operator created in the account is not changed by submissions of its name', async () => {
  meta.templates.push({ id: '950', name: 'hello_world', language: 'en' })
  const { read, submit } = await template(ours, 'hello_world')
  for (const _ of [1, 2]) assert.equal((await ok(submit())).status, 'rejected')
  assert.match((await read()).rejectionReason, /has another template of that name/)
  await review('hello_world', 'APPROVED')
  assert.equal((await read()).status, 'rejected')
  assert.deepEqual(meta.edited, [])
})

test('a submission whose answer was lost is repeated as an edit, and the name stays reserved meanwhile', async () => {
  const [first, second] = [await template(ours, 'lost'), await template(theirs, 'lost')]
  meta.losesTemplates = true
  assert.equal((await first.submit()).status, 502)
  meta.losesTemplates = false
  assert.equal((await second.submit()).status, 409)
  const submitted = await ok(first.submit())
  const { id } = meta.templates.at(-1)!
  assert.deepEqual([submitted.status, submitted.providerRef, meta.edited.pop()?.id], ['submitted', id, id])
})

test('a template of the operator is not changed by a submission whose answer was lost before', async () => {
  const components = [{ type: 'BODY', text: 'Of the operator' }]
  meta.templates.push({ id: '951', name: 'welcome', language: 'en', category: 'UTILITY', components })
  const { read, submit } = await template(ours, 'welcome')
  meta.missesTemplates = true
  assert.equal((await submit()).status, 502)
  meta.missesTemplates = false
  assert.equal((await ok(submit())).status, 'rejected')
  assert.match((await read()).rejectionReason, /with another text/)
  assert.deepEqual(meta.edited, [])
})

test('a template edited into another language is another template there', async () => {
  const { path, read, submit } = await template(ours, 'moved')
  await ok(submit())
  await review('moved', 'REJECTED')
  await ok(ours.api.patch(path, { language: 'fr' }))
  assert.equal((await read()).providerRef, null)
  await ok(submit())
  assert.deepEqual([meta.templates.at(-1)?.language, meta.edited], ['fr', []])
  const { submit: submitTheirs } = await template(theirs, 'moved')
  assert.equal((await ok(submitTheirs())).status, 'rejected')
})

test('another team can use a deleted name once Meta has no such template', async () => {
  const [first, second] = [await template(ours, 'freed'), await template(theirs, 'freed')]
  await ok(first.submit())
  await ok(ours.api.delete(first.path))
  meta.templates = meta.templates.filter(({ name }) => name !== 'freed')
  assert.equal((await ok(second.submit())).status, 'submitted')
})

test('a one-time password of a template without buttons is sent in the button that Meta asks for', async () => {
  const content = { name: 'login', body: 'Your code is {{1}}', category: 'authentication' }
  const { id: templateId } = await ok(ours.api.post('/v1/whatsapp/templates', content))
  await ok(ours.api.post(`/v1/whatsapp/templates/${templateId}/submit`))
  await review('login', 'APPROVED')
  const { data } = await ok(ours.api.get('/v1/whatsapp/senders'))
  const message = { senderId: data[0].id, to: '+61491570110', templateId, variables: ['123456'] }
  await ok(ours.api.post('/v1/whatsapp/messages', message))
  await posthorn.runDueJobs()
  const parameters = [{ type: 'text', text: '123456' }]
  assert.deepEqual(meta.sent.at(-1).template.components, [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ])
})
