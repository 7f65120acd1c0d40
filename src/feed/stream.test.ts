// needs: waiting
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { patienceMs, until } from '../../test/patience.ts'
import { slowTest } from '../../test/slow.ts'
import { openFeed } from './fixtures/open-feed.ts'
import { readAll, readOnceThere } from './fixtures/read-all.ts'

const posthorn = await createTestApp()
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })
const streams: { close(): void }[] = []
after(() => {
  for (const stream of streams) stream.close()
})

async function open(key: string, options: { query?: string; lastId?: string; url?: string } = {}) {
  const stream = await openFeed(options.url ?? url, key, options)
  streams.push(stream)
  return stream
}

async function send(team: TestTeam): Promise<string> {
  const mail = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x', tags: { shop: '7' } }
  return (await team.api.post('/v1/emails', mail)).body.id
}

const idsOf = (entries: { id?: string | undefined }[]) => entries.map(({ id }) => id)

test('a stream says ready, then each entry by its type with its id, from the present on', async () => {
  const team = await posthorn.team()
  await send(team)
  await readOnceThere(team.api, 2)
  const stream = await open(team.key)
  assert.deepEqual([stream.ready.type, stream.ready.data], ['ready', {}])
  const emailId = await send(team)
  const heard = await stream.heard(2)
  const { entries } = await readAll(team.api, { after: stream.ready.id! })
  assert.deepEqual(
    heard.map(({ data }) => data),
    entries,
  )
  assert.deepEqual(
    heard.map(({ id, type, data }) => [id, type, data.data.emailId]),
    entries.map(({ id, type }) => [id, type, emailId]),
  )
})

slowTest('a stream begins behind the entry that is named, and leaves out other types', async () => {
  const team = await posthorn.team()
  for (let n = 0; n < 60; n++) await send(team)
  const all = await readOnceThere(team.api, 120)
  const rest = await open(team.key, { query: `?after=${all[2]!.id}` })
  assert.deepEqual(idsOf(await rest.heard(117)), idsOf(all.slice(3)))
  const delivered = await open(team.key, { query: `?after=${all[0]!.id}&types=email.delivered` })
  assert.deepEqual(idsOf(await delivered.heard(60)), idsOf(all.filter(({ type }) => type === 'email.delivered')))
})

slowTest('a reader that comes back with the last id, to another process too, gets every entry once', async () => {
  const team = await posthorn.team()
  const before = await posthorn.another()
  const first = await open(team.key, { url: await before.server.listen({ port: 0, host: '127.0.0.1' }) })
  await send(team)
  const heard = await first.heard(2)
  await before.close(1000)
  await first.ended
  await send(team)
  const second = await open(team.key, { lastId: heard[0]!.id!, query: `?after=${first.ready.id}` })
  await send(team)
  const rest = await second.heard(5)
  const { entries } = await readAll(team.api)
  assert.deepEqual([heard[0]!.id, ...idsOf(rest)], idsOf(entries))
  // A reader that has heard nothing yet comes back with the id of `ready`.
  const third = await open(team.key, { lastId: first.ready.id! })
  assert.deepEqual(idsOf(await third.heard(6)), idsOf(entries))
})

slowTest('entries that another process writes arrive, although its hints are lost', async () => {
  const team = await posthorn.team()
  const other = await posthorn.another()
  const stream = await open(team.key)
  const mail = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' }
  const headers = { authorization: `Bearer ${team.key}` }
  const sent = await other.server.inject({ method: 'POST', url: '/v1/emails', headers, payload: mail })
  assert.equal(sent.statusCode, 200)
  assert.equal((await stream.heard(2))[0]!.data.data.emailId, sent.json().id)
})

test('signed entries have the headers and the body of a webhook, with a secret that stays the same for the key', async () => {
  const team = await posthorn.team()
  const another = await team.newKey({ permission: 'full_access' })
  const stream = await open(team.key, { query: '?signed=true&format=posthorn' })
  const secret = stream.ready.data.signingSecret
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const emailId = await send(team)
  const [first] = await stream.heard(2)
  const { headers, body, ...entry } = first!.data
  const hmac = createHmac('sha256', secret).update(`${headers['webhook-timestamp']}.${body}`)
  assert.equal(headers['webhook-signature'], `v1,${hmac.digest('base64')}`)
  assert.equal(Number(headers['webhook-timestamp']) * 1000, posthorn.clock.now().getTime())
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['user-agent']!, /^Posthorn\//)
  const details = entry.data.details
  assert.deepEqual(JSON.parse(body), { type: 'email.sent', created_at: entry.at, data: { email_id: emailId, details } })
  const again = await open(team.key, { query: '?signed=true', lastId: stream.ready.id! })
  assert.equal(again.ready.data.signingSecret, secret)
  const [repeated] = await again.heard(2)
  assert.equal(repeated!.data.headers['webhook-id'], headers['webhook-id'])
  const theirs = await open(another.key, { query: '?signed=true' })
  assert.notEqual(theirs.ready.data.signingSecret, secret)
})

test('signed entries in the format of Resend have the body that a webhook made with its client has', async () => {
  const team = await posthorn.team()
  const stream = await open(team.key, { query: '?signed=true&format=resend' })
  const emailId = await send(team)
  const [first] = await stream.heard(2)
  const { headers, body, at } = first!.data
  const email = (await team.api.get(`/resend/emails/${emailId}`)).body
  const { from, to, subject, message_id, created_at } = email
  const data = { email_id: emailId, created_at, message_id, from, to, subject, tags: { shop: '7' } }
  assert.deepEqual(JSON.parse(body), { type: 'email.sent', created_at: at, data })
  // The clock of tests is ahead, so Resend's verifier would call the delivery too new.
  const key = Buffer.from(stream.ready.data.signingSecret.slice('whsec_'.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${headers['svix-id']}.${headers['svix-timestamp']}.${body}`)
  assert.equal(headers['svix-signature'], `v1,${hmac.digest('base64')}`)
})

test('the 21st stream of a team is refused, of both modes together, and the streams of hints do not count', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => open(n % 2 ? team.key : made.body.key)))
  const refused = await team.api.get('/v1/feed/stream')
  assert.deepEqual([refused.status, refused.body.name, refused.headers['retry-after']], [503, 'unavailable', '30'])
  assert.match(refused.body.message, /20 streams of the feed/)
  const hints = await fetch(`${url}/v1/live`, { headers: { authorization: `Bearer ${team.key}` } })
  assert.equal(hints.status, 200)
  await hints.body!.cancel()
  all[0]!.close()
  await until(async () => {
    const answer = await fetch(`${url}/v1/feed/stream`, { headers: { authorization: `Bearer ${team.key}` } })
    await answer.body!.cancel()
    return answer.status === 200
  })
  for (const stream of all) stream.close()
})

test('a process that stops ends its streams, and a revoked key loses its own', async () => {
  const team = await posthorn.team()
  const revoked = await team.newKey({ permission: 'full_access' })
  const other = await posthorn.another()
  const there = await open(team.key, { url: await other.server.listen({ port: 0, host: '127.0.0.1' }) })
  const here = await open(revoked.key)
  await team.api.delete(`/v1/api-keys/${revoked.id}`)
  await here.ended
  await other.close(patienceMs)
  await there.ended
})

slowTest('a silent stream has a comment every 15 seconds', async () => {
  const team = await posthorn.team()
  const stream = await open(team.key)
  const beganMs = performance.now()
  await until(() => stream.comments.length > 0)
  const passedMs = performance.now() - beganMs
  assert.ok(passedMs > 14_000, `${passedMs} ms`)
})

slowTest('a reader whose types have had no entry for longer than entries are kept comes back and goes on', async () => {
  const own = await createTestApp()
  const team = await own.team()
  const ownUrl = await own.server.listen({ port: 0, host: '127.0.0.1' })
  const stream = await open(team.key, { url: ownUrl, query: '?types=email.bounced' })
  await send(team)
  await until(() => stream.reached.length > 0)
  assert.deepEqual(stream.entries(), [])
  own.clock.advance(8 * 86_400_000)
  await send(team)
  const expired = await team.api.get(`/v1/feed?after=${stream.ready.id}`)
  assert.deepEqual([expired.status, expired.body.name], [410, 'feed_expired'])
  const again = await open(team.key, { url: ownUrl, lastId: stream.reached.at(-1)! })
  const heard = await again.heard(2)
  assert.deepEqual(
    heard.map(({ type }) => type),
    ['email.sent', 'email.delivered'],
  )
})
