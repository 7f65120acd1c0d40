import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../../test/app.ts'
import { resumeSender, suspendSender } from '../../../phone/suspend.ts'
import { ask } from '../../../privacy/fixtures/ask.ts'
import { searchDatabase } from '../../../privacy/fixtures/search-database.ts'
import { acceptWhatsapp } from '../../messages/accept/accept.ts'
import {
  answerJson,
  change,
  messagesChange,
  phoneNumberId,
  refuse,
  signedCall,
  startMeta,
  wabaId,
} from './fixtures/meta.ts'

const meta = await startMeta()
const posthorn = await createTestApp(meta.environment)
const team = await posthorn.team()
const { body: sender } = await team.api.post('/v1/whatsapp/senders', {
  ...{ name: 'Shop', phoneNumber: '+61491570156', wabaId, phoneNumberId },
})
await team.api.post(`/v1/whatsapp/senders/${sender.id}/verify`)

async function tell(payload: unknown) {
  const call = signedCall(payload)
  assert.equal((await posthorn.anyone.post('/providers/meta/whatsapp', call.body, call.headers)).status, 200)
}

async function newTemplate(category: string): Promise<string> {
  const name = `t_${category}`
  const { body } = await team.api.post('/v1/whatsapp/templates', { name, category, body: 'Hello' })
  await team.api.post(`/v1/whatsapp/templates/${body.id}/submit`)
  const review = { event: 'APPROVED', message_template_name: name, message_template_language: 'en' }
  await tell(change('message_template_status_update', review))
  return body.id
}

const [marketing, utility] = [await newTemplate('marketing'), await newTemplate('utility')]
const send = (to: string, templateId = marketing) =>
  team.api.post('/v1/whatsapp/messages', { senderId: sender.id, to, templateId })

let numbers = 0
const newNumber = () => `+614000020${String(++numbers).padStart(2, '0')}`

function choose(number: string, value: string, more: object = {}) {
  const timestamp = Math.floor(posthorn.clock.now().getTime() / 1000)
  const wa_id = number.slice(1)
  const preference = { wa_id, category: 'marketing_messages', value, detail: 'User requested it', timestamp, ...more }
  const metadata = { display_phone_number: '61491570156', phone_number_id: phoneNumberId }
  return tell(change('user_preferences', { messaging_product: 'whatsapp', metadata, user_preferences: [preference] }))
}

test('a choice that an erased person makes afterwards is not stored: nothing is sent to the number anyway', async () => {
  const number = newNumber()
  const { api, path } = await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  await choose(number, 'stop')
  assert.deepEqual(await searchDatabase(posthorn, [number]), [])
  assert.equal((await send(number)).body.name, 'recipient_erased')
})

test('a customer who stops marketing in WhatsApp gets none until resuming it there, and all else', async () => {
  const number = newNumber()
  assert.equal((await send(number)).status, 200)
  await choose(number, 'stop')
  const before = meta.sent.length
  const refused = await send(number)
  assert.deepEqual([refused.status, refused.body.error], [403, 'RECIPIENT_OPTED_OUT'])
  assert.match(refused.body.message, /stopped marketing/)
  assert.equal(meta.sent.length, before)
  assert.equal((await send(number, utility)).status, 200)
  posthorn.clock.advance(1000)
  await choose(number, 'resume')
  assert.equal((await send(number)).status, 200)
})

test('the latest choice counts, in any order of arrival', async () => {
  const number = newNumber()
  const now = Math.floor(posthorn.clock.now().getTime() / 1000)
  await choose(number, 'resume', { timestamp: now })
  await choose(number, 'stop', { timestamp: String(now - 60) })
  assert.equal((await send(number)).status, 200)
})

test('a choice about something else, or of another number’s customer, changes nothing', async () => {
  const number = newNumber()
  await choose(number, 'stop', { category: 'surveys' })
  await choose(newNumber(), 'stop')
  await choose(number, 'pause')
  assert.equal((await send(number)).status, 200)
})

test('a refusal because the customer wants no marketing counts like the choice itself', async () => {
  const [atOnce, later] = [newNumber(), newNumber()]
  const usual = meta.answer
  meta.answer = refuse(400, 131050, 'Unable to deliver: this recipient has chosen to stop receiving marketing messages')
  assert.equal((await send(atOnce)).body.status, 'failed')
  meta.answer = usual
  assert.equal((await send(atOnce)).status, 403)
  const { body: sent } = await send(later)
  const failed = { id: sent.providerMessageId, status: 'failed', timestamp: '1', recipient_id: later.slice(1) }
  await tell(messagesChange({ statuses: [{ ...failed, errors: [{ code: 131050, title: 'Stopped' }] }] }))
  assert.equal((await send(later)).status, 403)
})

test('the number that Meta answers is another name of the customer, for choices too', async () => {
  const usual = meta.answer
  const [number, known] = [newNumber(), '55129876543']
  meta.answer = ({ to }, response) =>
    answerJson(response, 200, { contacts: [{ input: to, wa_id: known }], messages: [{ id: 'wamid.known' }] })
  assert.equal((await send(number, utility)).status, 200)
  meta.answer = usual
  await choose(`+${known}`, 'stop')
  assert.equal((await send(number)).status, 403)
  const message = { from: known, id: 'wamid.in.known', timestamp: '1', type: 'text', text: { body: 'Hello' } }
  await tell(
    messagesChange({ messages: [{ ...message, timestamp: String((posthorn.clock.now().getTime() / 1000) | 0) }] }),
  )
  assert.equal(
    (await team.api.post('/v1/whatsapp/messages', { senderId: sender.id, to: number, body: 'Hi' })).status,
    200,
  )
})

test('a choice that a customer makes while the sender is suspended counts when it sends again', async () => {
  const [suspended, resumed] = [newNumber(), newNumber()]
  await suspendSender(posthorn.app, 'whatsapp', sender.id, null)
  await choose(suspended, 'stop')
  await resumeSender(posthorn.app, 'whatsapp', sender.id)
  await choose(resumed, 'stop')
  await team.api.post(`/v1/whatsapp/senders/${sender.id}/verify`)
  for (const number of [suspended, resumed]) assert.equal((await send(number)).status, 403)
})

test('a worker sends no marketing to a customer who stopped it after the message was accepted', async () => {
  for (const [templateId, status] of [
    [marketing, 'failed'],
    [utility, 'sent'],
  ] as const) {
    const [to, before] = [newNumber(), meta.sent.length]
    const command = { kind: 'template' as const, senderId: sender.id, to, templateId, variables: [] }
    const { id } = (await acceptWhatsapp(posthorn.app, { teamId: team.id, command, key: null }))!
    await choose(to, 'stop')
    await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs)
    const message = (await team.api.get(`/v1/whatsapp/messages/${id}`)).body
    assert.deepEqual([message.status, meta.sent.length - before], [status, status === 'sent' ? 1 : 0])
    if (status === 'failed') assert.match(message.error, /has stopped marketing messages/)
  }
})

test('a choice is forgotten with the person who is erased', async () => {
  const number = newNumber()
  await choose(number, 'stop')
  await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  const rows = await posthorn.app.db.selectFrom('whatsapp_marketing_choices').select('phone_number').execute()
  assert.ok(!rows.some(({ phone_number }) => phone_number === number))
})
