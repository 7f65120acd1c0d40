import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertVerifiedDomain } from '../domains/insert-verified.ts'
import { createResendApp, given, refused } from './fixtures/client.ts'

const { posthorn, baseUrl, client, setUp } = await createResendApp()

test('an email that Resend’s client sends is read back as Resend shows it', async () => {
  const { resend, hello, team } = await setUp()
  const replyTo = ['help@example.com', '"Desk, Help" <desk@example.com>']
  const tags = [{ name: 'order', value: '1024' }]
  const email = { ...hello, cc: 'cc@example.com', bcc: ['bcc@example.com'], replyTo, tags, html: '<p>Hi</p>' }
  const { id } = await given(resend.emails.send(email))
  const read = await given(resend.emails.get(id))
  const { created_at, message_id, ...shown } = read
  assert.ok(!Number.isNaN(Date.parse(created_at)) && message_id.includes('@'))
  assert.deepEqual(shown, {
    ...{ object: 'email', id, from: hello.from, to: ['ada@example.com'], subject: 'Hello', text: 'It works.' },
    ...{ cc: ['cc@example.com'], bcc: ['bcc@example.com'], reply_to: replyTo, html: '<p>Hi</p>', tags },
    ...{ scheduled_at: null, last_event: 'delivered', topic_id: null },
  })
  const { body: inbox } = await team.api.get('/v1/inbox')
  const { body: kept } = await team.api.get(`/v1/inbox/${inbox.data[0].id}`)
  assert.match(JSON.stringify(kept), /help@example\.com.*desk@example\.com/)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).status, 200)
})

test('a list goes on behind and ahead of an id', async () => {
  const { resend, hello } = await setUp()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await given(resend.emails.create({ ...hello, subject: `${n}` }))).id)
  const page = async (options: Parameters<typeof resend.emails.list>[0]) => {
    const { object, data, has_more } = await given(resend.emails.list(options))
    return [object, data.map(({ id }) => ids.indexOf(id)), has_more]
  }
  assert.deepEqual(await page({}), ['list', [0, 1, 2, 3, 4], false])
  assert.deepEqual(await page({ limit: 2 }), ['list', [0, 1], true])
  assert.deepEqual(await page({ limit: 2, after: ids[1]! }), ['list', [2, 3], true])
  assert.deepEqual(await page({ limit: 2, after: ids[3]! }), ['list', [4], false])
  assert.deepEqual(await page({ limit: 2, before: ids[4]! }), ['list', [2, 3], true])
  assert.deepEqual(await page({ limit: 4, before: ids[2]! }), ['list', [0, 1], false])
  assert.deepEqual(await page({ before: ids[0]! }), ['list', [], false])
  const [status, name] = await refused(resend.emails.list({ limit: 101 }))
  assert.deepEqual([status, name], [422, 'validation_error'])
})

test('a key of one domain reads ahead of an id past the emails of other domains', async () => {
  const { team, hello } = await setUp()
  const other = `other.${team.domain}`
  const { app } = posthorn
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, other, keys))
  const ids: string[] = []
  for (const domain of [team.domain, other, other, other, team.domain, team.domain]) {
    const { body } = await team.api.post('/resend/emails', { ...hello, from: `a@${domain}` })
    if (domain === team.domain) ids.unshift(body.id)
  }
  const key = await team.newKey({ domainId: team.domainId })
  const page = async (query: string) => {
    const { body } = await key.api.get(`/resend/emails?${query}`)
    return [body.data.map(({ id }: { id: string }) => ids.indexOf(id)), body.has_more]
  }
  assert.deepEqual(await page(`limit=1&before=${ids[2]}`), [[1], true])
  assert.deepEqual(await page(`limit=2&before=${ids[2]}`), [[0, 1], false])
})

test('an email waits until its time, which may be changed, and may be cancelled', async () => {
  const { resend, hello } = await setUp()
  const past = await refused(resend.emails.send({ ...hello, scheduledAt: 'in 0 min' }))
  assert.deepEqual(past.slice(0, 2), [422, 'validation_error'])
  const { id } = await given(resend.emails.send({ ...hello, scheduledAt: 'in 5 min' }))
  const at = async () => (await given(resend.emails.get(id))).scheduled_at
  assert.equal(await at(), new Date(posthorn.clock.now().getTime() + 5 * 60_000).toISOString())
  assert.equal((await given(resend.emails.get(id))).last_event, 'scheduled')
  assert.deepEqual(await given(resend.emails.update({ id, scheduledAt: 'in 1 day' })), { object: 'email', id })
  assert.equal(await at(), new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString())
  assert.deepEqual(await given(resend.emails.cancel(id)), { object: 'email', id })
  assert.equal((await given(resend.emails.get(id))).last_event, 'canceled')
  assert.deepEqual((await refused(resend.emails.cancel(id))).slice(0, 2), [422, 'validation_error'])
})

test('a request is repeated with its key, and refused with another body or a bad key', async () => {
  const { resend, hello } = await setUp()
  const email = { ...hello, scheduledAt: 'in 2 hours' }
  const first = await given(resend.emails.send(email, { idempotencyKey: 'order-1' }))
  posthorn.clock.advance(1000)
  assert.deepEqual(await given(resend.emails.send(email, { idempotencyKey: 'order-1' })), first)
  const other = await refused(resend.emails.send({ ...email, subject: 'Other' }, { idempotencyKey: 'order-1' }))
  assert.deepEqual(other.slice(0, 2), [409, 'invalid_idempotent_request'])
  const bad = await refused(resend.emails.send(email, { idempotencyKey: 'x'.repeat(300) }))
  assert.deepEqual(bad.slice(0, 2), [400, 'invalid_idempotency_key'])
})

test('a batch is sent whole or not at all', async () => {
  const { resend, hello, team } = await setUp()
  const { data } = await given(resend.batch.send([hello, { ...hello, to: ['bob@example.com'] }]))
  assert.equal(data.length, 2)
  const [status, name, message] = await refused(resend.batch.create([hello, { ...hello, to: 'nonsense' }]))
  assert.deepEqual([status, name], [422, 'validation_error'])
  assert.match(message, /`to/)
  const foreign = await refused(resend.batch.send([hello, { ...hello, from: 'a@nobodys.test' }]))
  assert.deepEqual(foreign.slice(0, 2), [403, 'validation_error'])
  assert.equal((await team.api.get('/v1/emails')).body.total, 2)
})

test('a permissive batch leaves out what is refused, and tells why', async () => {
  const { resend, hello, team } = await setUp()
  await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  const emails = [
    { ...hello, to: 'nonsense' },
    hello,
    { ...hello, to: 'gone@example.com' },
    { ...hello, from: 'a@nobodys.test' },
  ]
  const { data, errors } = await given(resend.batch.send(emails, { batchValidation: 'permissive' }))
  assert.equal(data.length, 1)
  assert.deepEqual(
    errors.map(({ index }) => index),
    [0, 2, 3],
  )
  assert.match(errors[0]!.message, /^The `to\[0\]` field must be one address/)
  assert.match(errors[1]!.message, /gone@example\.com/)
})

test('a batch is repeated with its key and its faults, also when its times have passed', async () => {
  const { resend, hello, team } = await setUp()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const emails = [{ ...hello, scheduledAt }, { ...hello, to: 'nonsense' }, hello]
  const permissive = { batchValidation: 'permissive', idempotencyKey: 'permissive' } as const
  const first = await given(resend.batch.send(emails, permissive))
  const allLater = await given(resend.batch.send(emails.slice(0, 2), { ...permissive, idempotencyKey: 'later' }))
  const strict = await given(resend.batch.send([emails[0]!], { idempotencyKey: 'strict' }))
  posthorn.clock.advance(120_000)
  assert.deepEqual(
    first.errors.map(({ index }) => index),
    [1],
  )
  assert.deepEqual(await given(resend.batch.send(emails, permissive)), first)
  assert.deepEqual(
    await given(resend.batch.send(emails.slice(0, 2), { ...permissive, idempotencyKey: 'later' })),
    allLater,
  )
  assert.deepEqual(await given(resend.batch.send([emails[0]!], { idempotencyKey: 'strict' })), strict)
  assert.equal((await team.api.get('/v1/emails')).body.total, 4)
})

test('an email is repeated with its key, also when its template is gone', async () => {
  const { resend, hello } = await setUp()
  const template = { name: 'Once', alias: 'once', html: '<p>Hi</p>', from: hello.from, subject: 'Hi' }
  const { id } = await given(resend.templates.create(template).publish())
  const email = { to: 'ada@example.com', template: { id: 'once' } }
  const first = await given(resend.emails.send(email, { idempotencyKey: 'once' }))
  await given(resend.templates.remove(id))
  assert.deepEqual(await given(resend.emails.send(email, { idempotencyKey: 'once' })), first)
})

test('the faults of a permissive batch are in the answer also when its process died before it had one', async () => {
  const { resend, hello } = await setUp()
  const emails = [hello, { ...hello, to: 'nonsense' }]
  const options = { batchValidation: 'permissive', idempotencyKey: 'died' } as const
  const first = await given(resend.batch.send(emails, options))
  const { db } = posthorn.app
  await db
    .updateTable('idempotency_keys')
    .set({ status: null, response: '{"more": [{"index": 1, "message": "kept"}]}' })
    .where('key', '=', 'died')
    .execute()
  const { data, errors } = await given(resend.batch.send(emails, options))
  assert.deepEqual([data, errors], [first.data, [{ index: 1, message: 'kept' }]])
})

test('a key of one domain does not read the answer of another domain', async () => {
  const { resend, hello, team } = await setUp()
  const other = await team.api.post('/v1/domains', { name: `other-${team.domain}` })
  await team.api.post(`/v1/domains/${other.body.id}/verify`)
  const key = await team.newKey({ permission: 'sending_access', domainId: other.body.id })
  await given(resend.batch.send([hello], { idempotencyKey: 'own' }))
  const [status] = await refused(client(key.key).batch.send([hello], { idempotencyKey: 'own' }))
  assert.equal(status, 403)
})

test('an email is taken as Laravel and packages that write null send it', async () => {
  const { team, hello } = await setUp()
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, ...((await answer.json()) as { id: string; data: object[] }) }
  }
  const none = { cc: [], bcc: [], reply_to: [], headers: [], attachments: [] }
  const nulls = { cc: null, bcc: null, reply_to: null, tags: null, scheduled_at: null, template: null, headers: null }
  const bodies = { html: '<p>Hi</p>', text: null }
  assert.equal((await post('/emails', { ...hello, ...none, ...bodies })).status, 200)
  const attachment = { filename: 'a.txt', content: 'aGk=', path: null, content_type: null, content_id: null }
  const { status, id } = await post('/emails', { ...hello, ...nulls, ...bodies, attachments: [attachment] })
  const sent = (await team.api.get(`/v1/emails/${id}`)).body
  assert.deepEqual([status, sent.html, sent.text, sent.cc, sent.tags], [200, '<p>Hi</p>', null, null, null])
  const headers = { 'Content-Transfer-Encoding': '7bit', 'Mime-Version': '1.0', 'X-Own': 'a' }
  assert.equal((await post('/emails/batch', [{ ...hello, ...nulls, headers }])).data.length, 1)
  assert.equal((await post('/emails', { ...hello, to: null })).status, 422)
  assert.equal((await post('/emails', { ...hello, headers: ['a'] })).status, 422)
})
