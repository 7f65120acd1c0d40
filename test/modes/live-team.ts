import assert from 'node:assert/strict'
import { startReceiver } from '../../src/webhooks/fixtures/receiver.ts'
import { draw, makeWorkflow } from '../../src/workflows/fixtures/make.ts'
import { chainOf } from '../../src/workflows/fixtures/workflow.ts'
import type { Answer, Api, TestApp, TestTeam } from '../app.ts'

/** A person of the live team. Each value is in nothing but its rows, and so is the header of its workflow. */
export const person = { email: 'liveperson@people.test', phoneNumber: '+61491570158', firstName: 'Livia' }

export type LiveTeam = {
  /** Ids by the path that lists their rows. */
  ids: Record<string, string>
  phoneNumberId: string
  wabaId: string
  received: unknown[]
}

/** Makes one of each thing that a team can have, with a live key, and runs what is due. */
export async function fillLiveTeam(posthorn: Pick<TestApp, 'runDueJobs' | 'app'>, team: TestTeam): Promise<LiveTeam> {
  const { api } = team
  const { received, url } = await startReceiver()
  const ids: Record<string, string> = {
    '/v1/domains': team.domainId,
    ...(await makeAudience(api)),
    ...(await makeChannels(posthorn, team)),
    '/v1/webhooks': (await made(api, '/v1/webhooks', { endpointUrl: url, events: ['email.sent', 'email.bounced'] })).id,
    '/v1/api-keys': (await made(api, '/v1/api-keys', { name: 'Live', permission: 'full_access' })).id,
  }
  await api.post(`/v1/webhooks/${ids['/v1/webhooks']}/test`, { eventType: 'email.bounced' })
  Object.assign(ids, await makeMail(team, ids), await makeWorkflows(team, ids))
  await posthorn.runDueJobs()
  const path = `/v1/webhooks/${ids['/v1/webhooks']}/deliveries`
  const inbox = await made(api, '/v1/inbox')
  Object.assign(ids, { '/v1/webhooks/:id/deliveries': (await made(api, path)).id, '/v1/inbox': inbox.id })
  return { ids, phoneNumberId: 'phone-live', wabaId: 'waba-live', received }
}

/** Posts, or reads a list, and returns the thing or the newest of the list. */
async function made(api: Api, path: string, body?: object): Promise<Answer['body']> {
  const answer = await (body ? api.post(path, body) : api.get(path))
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return body ? answer.body : answer.body.data[0]
}

async function makeAudience(api: Api) {
  const ids = {
    '/v1/contacts': (await made(api, '/v1/contacts', person)).id,
    '/v1/segments': (await made(api, '/v1/segments', { name: 'Customers' })).id,
    '/v1/topics': (await made(api, '/v1/topics', { name: 'News' })).id,
    '/v1/suppressions': (await made(api, '/v1/suppressions', { email: 'gone@people.test' })).id,
  }
  const contactIds = { contactIds: [ids['/v1/contacts']] }
  await made(api, `/v1/segments/${ids['/v1/segments']}/contacts`, contactIds)
  await made(api, `/v1/topics/${ids['/v1/topics']}/contacts`, contactIds)
  return { ...ids, '/v1/segments/:id/contacts': ids['/v1/contacts'], '/v1/topics/:id/contacts': ids['/v1/contacts'] }
}

async function makeChannels(posthorn: Pick<TestApp, 'app'>, { api }: TestTeam) {
  const sms = (await made(api, '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })).id
  await made(api, `/v1/sms/senders/${sms}/verify`, {})
  const template = (await made(api, '/v1/whatsapp/templates', { name: 'welcome', body: 'Hello' })).id
  const number = { phoneNumber: '+447700900123', wabaId: 'waba-live', phoneNumberId: 'phone-live' }
  const whatsapp = (await made(api, '/v1/whatsapp/senders', { name: 'Shop', ...number })).id
  await made(api, `/v1/whatsapp/senders/${whatsapp}/verify`, {})
  await posthorn.app.db.updateTable('whatsapp_templates').set({ status: 'approved' }).execute()
  const text = { type: 'message', phoneNumberId: 'phone-live', from: person.phoneNumber, text: 'Where is it?' }
  await made(api, '/providers/capture/whatsapp', { events: [{ ...text, providerMessageId: 'in.live' }] })
  const message = { to: person.phoneNumber, senderId: whatsapp, templateId: template }
  const sent = await made(api, '/v1/whatsapp/messages', message)
  await made(api, '/providers/capture/sms', { from: person.phoneNumber, to: 'Shop', body: 'Hello?' })
  return {
    '/v1/sms/senders': sms,
    '/v1/sms': (await made(api, '/v1/sms', { to: person.phoneNumber, body: 'It comes.', senderId: sms })).id,
    '/v1/sms/opt-outs': (await made(api, '/v1/sms/opt-outs', { phoneNumber: '+61491570110' })).id,
    '/v1/whatsapp/senders': whatsapp,
    '/v1/whatsapp/templates': template,
    '/v1/whatsapp/messages': sent.id,
    '/v1/whatsapp/conversations': sent.conversationId,
  }
}

async function makeMail({ api, domain }: TestTeam, ids: Record<string, string>) {
  const email = { from: `shop@${domain}`, to: [person.email], subject: 'Hello', text: 'Livia, it comes.' }
  await made(api, '/v1/emails', email)
  const template = (await made(api, '/v1/templates', { name: 'Welcome', text: 'Hello {{name}}' })).id
  await api.patch(`/v1/templates/${template}`, { status: 'published' })
  const news = { name: 'News', from: `shop@${domain}`, segmentId: ids['/v1/segments'], subject: 'News', text: 'x' }
  const sent = (await made(api, '/v1/broadcasts', news)).id
  await made(api, `/v1/broadcasts/${sent}/send`, {})
  const draft = { ...news, topicId: ids['/v1/topics'] }
  return {
    '/v1/emails': (await made(api, '/v1/emails', { ...email, scheduledAt: '2031-01-01T00:00:00Z' })).id,
    '/v1/templates': template,
    '/v1/broadcasts': (await made(api, '/v1/broadcasts', draft)).id,
  }
}

async function makeWorkflows(team: TestTeam, ids: Record<string, string>) {
  const credential = { name: 'Shop', type: 'bearer', secret: { token: 'a-live-secret' } }
  const steps = [
    { type: 'update_contact', config: { first_name: 'Changed' } },
    { type: 'remove_segment', config: { segment_id: ids['/v1/segments'] } },
  ]
  const workflow = await makeWorkflow(team, chainOf(steps))
  const call = { url: 'https://shop.example/', method: 'GET', headers: { authorization: 'a-live-header' } }
  await draw(team, chainOf([{ type: 'http_request', config: call }]))
  return {
    '/v1/credentials': (await made(team.api, '/v1/credentials', credential)).id,
    '/v1/workflows': workflow.id,
    '/v1/workflows/:id/executions': await workflow.start({}),
  }
}
