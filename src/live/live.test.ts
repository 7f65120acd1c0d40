import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { type Api, createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { slowTest } from '../../test/slow.ts'
import type { Noun } from '../platform/http/nouns.ts'
import { openStream } from './fixtures/open-stream.ts'
import { hubOf } from './hub.ts'

const posthorn = await createTestApp()
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })
const streams: { close(): void }[] = []
after(() => {
  for (const stream of streams) stream.close()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function listen(token: string, path?: string) {
  const stream = await openStream(url, bearer(token), path)
  streams.push(stream)
  return stream
}

const mail = ({ domain }: TestTeam) => ({ from: `a@${domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' })

test('a change is hinted by its noun and id to the team, and to no other', async () => {
  const [shop, other] = [await posthorn.team(), await posthorn.team()]
  const [mine, theirs] = [await listen(shop.key), await listen(other.key)]
  const { id } = (await shop.api.post('/v1/emails', mail(shop))).body
  await mine.heard('emails', id)
  const contact = (await shop.api.post('/v1/contacts', { email: 'ada@example.com' })).body
  await mine.heard('contacts', contact.id)
  await shop.api.patch(`/v1/contacts/${contact.id}`, { firstName: 'Ada' })
  await shop.api.delete('/v1/inbox')
  assert.deepEqual((await mine.heard('inbox')).inbox, [])
  const own = (await other.api.post('/v1/topics', { name: 'News' })).body
  await theirs.heard('topics', own.id)
  assert.ok(!theirs.hints.some(({ emails, contacts }) => emails || contacts))
})

test('a contact that leaves a segment or a topic is hinted with it', async () => {
  const shop = await posthorn.team()
  const contact = (await shop.api.post('/v1/contacts', { email: 'ada@example.com' })).body
  const stream = await listen(shop.key)
  for (const noun of ['segments', 'topics'] as const) {
    const { id } = (await shop.api.post(`/v1/${noun}`, { name: 'Readers' })).body
    await ok(shop.api.post(`/v1/${noun}/${id}/contacts`, { contactIds: [contact.id] }))
    // The hints of the earlier changes come before this one.
    const last = (await shop.api.post('/v1/workflows', { name: noun })).body
    await stream.heard('workflows', last.id)
    stream.hints.length = 0
    await ok(shop.api.delete(`/v1/${noun}/${id}/contacts/${contact.id}`))
    await stream.heard('contacts', contact.id)
    await stream.heard(noun, id)
  }
})

test('every role hears what jobs change', async () => {
  const shop = await posthorn.team()
  const viewer = await shop.member('viewer')
  const stream = await listen(viewer.token)
  const at = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { id } = (await shop.api.post('/v1/emails', { ...mail(shop), scheduledAt: at })).body
  await stream.heard('emails', id)
  stream.hints.length = 0
  await posthorn.runDueJobsAfter(61_000)
  await stream.heard('emails', id)
})

test('a word of stop hints the opt-outs, and a review its template', async () => {
  const shop = await posthorn.team()
  const stream = await listen(shop.key)
  const number = { name: 'Shop', senderId: '+61491570156', senderType: 'long_code', country: 'AU' }
  const { id: senderId } = (await shop.api.post('/v1/sms/senders', number)).body
  await ok(shop.api.post(`/v1/sms/senders/${senderId}/verify`))
  await ok(shop.api.post('/providers/capture/sms', { from: '+61491570157', to: '+61491570156', body: 'STOP' }))
  await stream.heard('sms/opt-outs')
  const sender = { name: 'Shop', phoneNumber: '+61491570158', wabaId: 'W1', phoneNumberId: 'P1' }
  const { id: whatsappId } = (await shop.api.post('/v1/whatsapp/senders', sender)).body
  await ok(shop.api.post(`/v1/whatsapp/senders/${whatsappId}/verify`))
  const { id } = (await shop.api.post('/v1/whatsapp/templates', { name: 'order', body: 'Hello {{1}}' })).body
  await ok(shop.api.post(`/v1/whatsapp/templates/${id}/submit`))
  await stream.heard('whatsapp/templates', id)
  stream.hints.length = 0
  const review = { type: 'template_status', wabaId: 'W1', templateName: 'order', language: 'en', status: 'approved' }
  await ok(shop.api.post('/providers/capture/whatsapp', { events: [review] }))
  await stream.heard('whatsapp/templates', id)
})

test('a thousand changes are a few hints, and name no ids once they are too many', async () => {
  const shop = await posthorn.team()
  const stream = await listen(shop.key)
  for (let n = 0; n < 1000; n++) hubOf(posthorn.app.jobs).note(shop.id, 'emails', [posthorn.app.newId()])
  assert.deepEqual(await stream.heard('emails'), { emails: [] })
  assert.equal(stream.hints.length, 1)
})

test('a key hears its own mode, and a user hears both', async () => {
  const shop = await posthorn.team()
  const made = (await shop.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })).body
  const { token } = await shop.member('developer')
  const [live, trial, person] = [await listen(shop.key), await listen(made.key), await listen(token)]
  const { id } = (await posthorn.as(made.key).post('/v1/emails', mail(shop))).body
  await trial.heard('emails', id)
  await person.heard('emails', id)
  const other = (await shop.api.post('/v1/emails', mail(shop))).body
  await live.heard('emails', other.id)
  assert.ok(!live.hints.some(({ emails = [] }) => emails.includes(id)))
})

test('a revoked key and an ended session end their streams', async () => {
  const shop = await posthorn.team()
  const another = await shop.newKey({ permission: 'full_access' })
  const member = await shop.member('developer')
  const [revoked, removed, kept] = [await listen(another.key), await listen(member.token), await listen(shop.key)]
  await shop.api.delete(`/v1/api-keys/${another.id}`)
  await revoked.ended
  const owner = await shop.member('owner')
  assert.equal((await owner.api.delete(`/v1/team/members/${member.userId}`)).status, 200)
  await removed.ended
  await shop.api.post('/v1/topics', { name: 'News' })
  await kept.heard('topics')
})

test('a key without full access hears nothing, and a team has at most a hundred streams', async () => {
  const shop = await posthorn.team()
  const sending = await shop.newKey()
  assert.equal((await sending.api.get('/v1/live')).status, 403)
  assert.equal((await posthorn.anyone.get('/v1/live')).status, 401)
  const all = await Promise.all(Array.from({ length: 100 }, () => listen(shop.key)))
  const refused = await shop.api.get('/v1/live')
  assert.deepEqual([refused.status, refused.body.name, refused.headers['retry-after']], [503, 'unavailable', '30'])
  for (const stream of all) stream.close()
})

test('a user has at most 25 streams, and leaves those of the team to others', async () => {
  const shop = await posthorn.team()
  const [viewer, other] = [await shop.member('viewer'), await shop.member('viewer')]
  const all = await Promise.all(Array.from({ length: 25 }, () => listen(viewer.token)))
  const refused = await viewer.api.get('/v1/live')
  assert.deepEqual([refused.status, refused.body.name, refused.headers['retry-after']], [503, 'unavailable', '30'])
  const theirs = await listen(other.token)
  for (const stream of [...all, theirs]) stream.close()
})

test('a person has at most 50 streams with the keys that the person made, over all teams', async () => {
  const owner = await (await posthorn.team()).member('owner')
  const keys: string[] = []
  const makeKey = async (api: Api) => {
    const made = await ok(api.post('/v1/api-keys', { name: 'another', permission: 'full_access' }))
    keys.push(made.key)
    return posthorn.as(made.key)
  }
  const first = await makeKey(owner.api)
  await makeKey(first)
  const { body: second } = await owner.api.post('/auth/teams', { name: 'Second' })
  const { body: session } = await owner.api.post('/auth/switch', { teamId: second.id })
  await makeKey(posthorn.as(session.accessToken))
  const all = await Promise.all(Array.from({ length: 50 }, (_, n) => listen(keys[n % keys.length]!)))
  for (const key of keys) {
    const refused = await posthorn.as(key).get('/v1/live')
    assert.deepEqual([refused.status, refused.body.name], [503, 'unavailable'], refused.text)
    assert.match(refused.body.message, /50 event streams/)
  }
  const other = await listen((await posthorn.team()).key)
  for (const stream of [...all, other]) stream.close()
})

slowTest('readers that leave before their streams begin take up no place', async () => {
  const shop = await posthorn.team()
  const request = `GET /v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`
  const leave = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    socket.write(request, () => setImmediate(() => socket.destroy()))
    await once(socket, 'close')
  }
  for (let turn = 0; turn < 10; turn++) await Promise.all(Array.from({ length: 100 }, leave))
  await answered(shop.key, 200)
})

/** Asks for a stream until it is answered with the status. */
async function answered(token: string, status: number): Promise<void> {
  await until(async () => {
    const stop = new AbortController()
    const answer = await fetch(`${url}/v1/live`, { headers: bearer(token), signal: stop.signal })
    stop.abort()
    return answer.status === status
  })
}

slowTest('a reader that does not read is cut off', async () => {
  const shop = await posthorn.team()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET /v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`)
  await once(socket, 'readable')
  const hub = hubOf(posthorn.app.jobs)
  // More than the kernel takes in on both sides.
  for (let n = 0; n < 300_000; n++) hub.note(shop.id, `noun-${n}-${'x'.repeat(40)}` as Noun)
  hub.flush()
  socket.on('error', () => undefined).resume()
  await once(socket, 'close')
})
