import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestTeam } from '../../test/app.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { fixture } from '../platform/egress/fixtures/loopback.ts'
import { type Received, startReceiver } from '../webhooks/fixtures/receiver.ts'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const OUTBOUND_ALLOW = '127.0.0.0/8'
const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
const egress = createEgress({ allow: [OUTBOUND_ALLOW], ca: fixture('cert'), resolve })
const { posthorn, client } = await createResendApp({ OUTBOUND_ALLOW }, { egress })
// The verifier compares the time of a delivery with that of the machine.
posthorn.clock.advance(Date.now() - posthorn.clock.now().getTime())

async function setUp() {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  return { team, receiver, resend: client(team.key), hello: helloFrom(team) }
}

function verify(resend: ReturnType<typeof client>, { headers, body }: Received, webhookSecret: string) {
  const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) =>
    String(headers[name]),
  )
  return resend.webhooks.verify({
    payload: body,
    headers: { id: id!, timestamp: timestamp!, signature: signature! },
    webhookSecret,
  })
}

test('a webhook that is made here delivers Resend’s payload, which its verifier accepts', async () => {
  const { resend, receiver, hello } = await setUp()
  const made = await given(resend.webhooks.create({ endpoint: receiver.url, events: ['email.sent', 'email.bounced'] }))
  assert.equal(made.object, 'webhook')
  const tags = [{ name: 'order', value: '1024' }]
  const { id } = await given(resend.emails.send({ ...hello, tags }))
  await posthorn.runDueJobs()
  const payload = verify(resend, receiver.received[0]!, made.signing_secret)
  const email = await given(resend.emails.get(id))
  const { created_at, ...shown } = payload
  assert.ok(!Number.isNaN(Date.parse(created_at)))
  assert.deepEqual(shown, {
    type: 'email.sent',
    data: {
      ...{ email_id: id, created_at: email.created_at, message_id: email.message_id, from: hello.from },
      ...{ to: ['ada@example.com'], subject: 'Hello', tags: { order: '1024' } },
    },
  })
})

test('a bounce says why, and a webhook of ours keeps our payload beside it', async () => {
  const { resend, receiver, team, hello } = await setUp()
  const theirs = await given(resend.webhooks.create({ endpoint: receiver.url, events: ['email.bounced'] }))
  await team.api.post('/v1/webhooks', { endpointUrl: receiver.url, events: ['email.bounced'] })
  await bounce(team, hello)
  await posthorn.runDueJobs()
  const bodies = receiver.received.map(({ body }) => JSON.parse(body))
  const [own] = bodies.filter(({ data }) => 'details' in data)
  const [other] = receiver.received.filter(({ body }) => !body.includes('"details"'))
  assert.deepEqual(Object.keys(own.data), ['email_id', 'details'])
  const payload = verify(resend, other!, theirs.signing_secret)
  assert.ok(payload.type === 'email.bounced')
  assert.deepEqual([payload.data.bounce.type, payload.data.bounce.subType], ['Permanent', 'General'])
  assert.notEqual(payload.data.bounce.message, '')
})

/** Mail to this address of the capture provider bounces. */
async function bounce({ api }: TestTeam, hello: { from: string; subject: string; text: string }) {
  const { from, subject, text } = hello
  const { status } = await api.post('/v1/emails', { from, subject, text, to: ['bounce@simulator.test'] })
  assert.equal(status, 200)
}

test('webhooks are listed, changed, rotated and removed, and their events are read and sent again', async () => {
  const { resend, receiver, hello } = await setUp()
  const { id, signing_secret } = await given(
    resend.webhooks.create({ endpoint: receiver.url, events: ['email.delivered'] }),
  )
  const { created_at: _at, ...read } = await given(resend.webhooks.get(id))
  const shown = { id, endpoint: receiver.url, events: ['email.delivered'], status: 'enabled' }
  assert.deepEqual({ ...read }, { object: 'webhook', ...shown })
  const rotated = await given(resend.webhooks.rotateSigningSecret(id))
  assert.notEqual(rotated.signing_secret, signing_secret)
  const { id: emailId } = await given(resend.emails.send(hello))
  await posthorn.runDueJobs()
  const { data, has_more } = await given(resend.webhooks.events.list({ webhookId: id }))
  assert.deepEqual(
    [data.map(({ type, status }) => [type, status]), has_more],
    [[['email.delivered', 'success']], false],
  )
  const event = { webhookId: id, eventId: data[0]!.id }
  const whole = await given(resend.webhooks.events.get(event))
  assert.ok(whole.payload.type === 'email.delivered' && whole.payload.data.email_id === emailId)
  assert.deepEqual([whole.object, whole.next_attempt_at], ['webhook_event', null])
  const attempts = await given(resend.webhooks.events.attempts.list(event))
  assert.deepEqual(
    attempts.data.map(({ http_status_code }) => http_status_code),
    [200],
  )
  const again = await given(resend.webhooks.events.replay(event))
  assert.notEqual(again.id, event.eventId)
  await posthorn.runDueJobs()
  assert.equal(receiver.received.length, 2)
  for (const secret of [signing_secret, rotated.signing_secret])
    assert.ok(verify(resend, receiver.received[1]!, secret))
  const same = { object: 'webhook', id }
  assert.deepEqual(await given(resend.webhooks.update(id, { status: 'disabled', events: ['email.opened'] })), same)
  const { data: listed } = await given(resend.webhooks.list())
  assert.deepEqual(
    listed.map(({ status, events }) => [status, events]),
    [['disabled', ['email.opened']]],
  )
  assert.deepEqual(await given(resend.webhooks.remove(id)), { ...same, deleted: true })
  assert.deepEqual((await refused(resend.webhooks.get(id))).slice(0, 2), [404, 'not_found'])
})

test('events that Posthorn does not have, and bad addresses, are refused', async () => {
  const { resend } = await setUp()
  const cases = [
    { endpoint: 'https://shop.test', events: ['contact.created' as const] },
    { endpoint: 'http://shop.test', events: ['email.sent' as const] },
  ]
  for (const webhook of cases) {
    assert.deepEqual((await refused(resend.webhooks.create(webhook))).slice(0, 2), [422, 'validation_error'])
  }
})

test('the attempts of an event are a list, which goes on behind and ahead of an id', async () => {
  const own = await createResendApp({ OUTBOUND_ALLOW }, { egress })
  const [team, receiver] = [await own.posthorn.team(), await startReceiver()]
  const resend = own.client(team.key)
  receiver.answer = 500
  const { id } = await given(resend.webhooks.create({ endpoint: receiver.url, events: ['email.delivered'] }))
  await given(resend.emails.send(helloFrom(team)))
  for (let n = 0; n < 3; n++) {
    await own.posthorn.runDueJobs()
    own.posthorn.clock.advance(3_600_000)
  }
  const [event] = (await given(resend.webhooks.events.list({ webhookId: id }))).data
  const path = `/resend/webhooks/${id}/events/${event!.id}/attempts`
  const all = (await team.api.get(path)).body.data.map((attempt: { id: string }) => attempt.id)
  assert.equal(all.length, 3)
  const page = async (query: string) => {
    const { data, has_more } = (await team.api.get(`${path}?${query}`)).body
    return [data.map((attempt: { id: string }) => all.indexOf(attempt.id)), has_more]
  }
  assert.deepEqual(await page('limit=2'), [[0, 1], true])
  assert.deepEqual(await page(`limit=2&after=${all[1]}`), [[2], false])
  assert.deepEqual(await page(`limit=1&before=${all[2]}`), [[1], true])
  assert.equal((await team.api.get(`${path}?before=${all[2]}&after=${all[0]}`)).status, 422)
})

test('the attempts of an event are listed however many WEBHOOK_RETRY_DELAYS allows', async () => {
  const retries = Array.from({ length: 17 }, () => '1s').join()
  // The app that a test makes closes the egress it was given.
  const ownEgress = createEgress({ allow: [OUTBOUND_ALLOW], ca: fixture('cert'), resolve })
  const own = await createResendApp({ OUTBOUND_ALLOW, WEBHOOK_RETRY_DELAYS: retries }, { egress: ownEgress })
  const [team, receiver] = [await own.posthorn.team(), await startReceiver()]
  const resend = own.client(team.key)
  receiver.answer = 500
  const { id: webhookId } = await given(resend.webhooks.create({ endpoint: receiver.url, events: ['email.delivered'] }))
  await given(resend.emails.send(helloFrom(team)))
  for (let n = 0; n < 18; n++) await own.posthorn.runDueJobsAfter(60_000)
  const [event] = (await given(resend.webhooks.events.list({ webhookId }))).data
  const page = (after: object) =>
    given(resend.webhooks.events.attempts.list({ webhookId, eventId: event!.id, ...after }))
  const all = (await page({})).data.map(({ id }) => id)
  assert.equal(new Set(all).size, 18)
  const next = await page({ after: all[4] })
  assert.deepEqual(
    next.data.map(({ id }) => id),
    all.slice(5),
  )
})

test('in test mode the events of a live webhook are refused, whichever page is asked for', async () => {
  const { team, resend, receiver } = await setUp()
  const { id } = await given(resend.webhooks.create({ endpoint: receiver.url, events: ['email.sent'] }))
  const { api } = await team.newKey({ mode: 'test', permission: 'full_access' })
  for (const query of ['', `?after=${id}`, `?before=${id}`]) {
    assert.equal((await api.get(`/resend/webhooks/${id}/events${query}`)).status, 403, query)
  }
})
