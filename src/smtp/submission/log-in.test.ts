import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertVerifiedDomain } from '../../domains/insert-verified.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const { posthorn, smtps } = await startSubmission()
const base64 = (text: string) => Buffer.from(text).toString('base64')
const noKey = `ph_${'x'.repeat(40)}`

async function greeted() {
  const talk = await talkTo(smtps)
  await talk.say('EHLO client.test')
  return talk
}

test('a key logs in with PLAIN and LOGIN, in one step or several, as the password or as the user name', async () => {
  const { newKey } = await posthorn.team()
  const { key } = await newKey()
  const ways = [
    [`AUTH PLAIN ${base64(`\0${key}\0`)}`],
    [`AUTH plain ${base64(`${key}\0${key}\0${key}`)}`],
    ['AUTH PLAIN', base64(`\0${key}\0${key}`)],
    ['AUTH LOGIN', base64(key), base64(key)],
    ...['posthorn', 'resend', 'apikey'].map((user) => [`AUTH PLAIN ${base64(`\0${user}\0${key}`)}`]),
    ['AUTH LOGIN', base64('me@example.com'), base64(key)],
    [`AUTH LOGIN ${base64(key)}`, ''],
    [`AUTH PLAIN ${base64(`\0\0${key}`)}`],
    ['AUTH LOGIN', '', base64(key)],
  ]
  for (const way of ways) {
    const talk = await greeted()
    let reply = ''
    for (const line of way) reply = await talk.say(line)
    assert.match(reply, /^235 2\.7\.0 /, way[0])
    assert.match(await talk.say('MAIL FROM:<>'), /^250 /)
    talk.close()
  }
})

test('a wrong key is refused, and a client that keeps trying is disconnected', async () => {
  const { key } = await posthorn.team()
  const bad = [`\0${noKey}\0${noKey}`, `\0${key}\0another`, `somebody\0${key}\0${key}`].map(
    (text) => `AUTH PLAIN ${base64(text)}`,
  )
  const talk = await greeted()
  for (const line of bad) assert.match(await talk.say(line), /^535 5\.7\.8 /)
  assert.equal(await talk.rest(), '')
  const careful = await greeted()
  assert.match(await careful.say('MAIL FROM:<>'), /^530 5\.7\.0 /)
  assert.match(await careful.say('AUTH PLAIN %%%'), /^501 5\.5\.2 /)
  assert.match(await careful.say('AUTH CRAM-MD5'), /^504 5\.5\.4 /)
  assert.match(await careful.say('AUTH LOGIN'), /^334 VXNlcm5hbWU6\r/)
  assert.match(await careful.say('*'), /^501 5\.7\.0 /)
  assert.match(await careful.say(`AUTH PLAIN ${base64(`\0${key}\0`)}`), /^235 /)
  assert.match(await careful.say(`AUTH PLAIN ${base64(`\0${key}\0`)}`), /^503 5\.5\.1 /)
  careful.close()
})

test('an address with many bad keys has one attempt per connection, and a valid key is always accepted', async () => {
  posthorn.clock.advance(15 * 60_000)
  const line = `AUTH PLAIN ${base64(`\0${noKey}\0`)}`
  for (let count = 0; count < 10; count++) {
    const talk = await greeted()
    for (let tries = 0; tries < 2; tries++) assert.match(await talk.say(line), /^535 /)
    talk.close()
  }
  const last = await greeted()
  assert.match(await last.say(line), /^535 /)
  assert.equal(await last.rest(), '')
  const { key } = await posthorn.team()
  const good = await greeted()
  assert.match(await good.say(`AUTH PLAIN ${base64(`\0${key}\0`)}`), /^235 /)
  good.close()
})

test('a session whose key was deleted cannot begin another message', async () => {
  const { api, newKey } = await posthorn.team()
  const { id, key } = await newKey()
  const talk = await talkTo(smtps)
  assert.match(await talk.logIn(key), /^235 /)
  assert.match(await talk.say('MAIL FROM:<>'), /^250 /)
  assert.match(await talk.say('RSET'), /^250 /)
  await api.delete(`/v1/api-keys/${id}`)
  assert.match(await talk.say('MAIL FROM:<>'), /^535 5\.7\.8 /)
  assert.equal(await talk.rest(), '')
})

test('a message that was begun before its key was deleted is not taken', async () => {
  const { id: teamId, api, newKey } = await posthorn.team()
  const { app } = posthorn
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, teamId, 'late.test', keys))
  const { id, key } = await newKey()
  const talk = await talkTo(smtps)
  assert.match(await talk.logIn(key), /^235 /)
  for (const line of ['MAIL FROM:<>', 'RCPT TO:<ada@example.com>']) assert.match(await talk.say(line), /^250 /)
  assert.match(await talk.say('DATA'), /^354 /)
  assert.equal((await api.delete(`/v1/api-keys/${id}`)).status, 200)
  assert.match(await talk.say('From: Shop <shop@late.test>\r\nSubject: Late\r\n\r\nHello\r\n.'), /^535 5\.7\.8 /)
  assert.equal(await talk.rest(), '')
  assert.deepEqual((await api.get('/v1/emails')).body.data, [])
})

test('an expired key cannot log in, and a session it opened before ends at the next message', async () => {
  const { api } = await posthorn.team()
  const expiresAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { key } = (await api.post('/v1/api-keys', { name: 'short', expiresAt })).body
  const line = `AUTH PLAIN ${base64(`\0${key}\0`)}`
  const before = await greeted()
  assert.match(await before.say(line), /^235 /)
  posthorn.clock.advance(60_000)
  assert.match(await before.say('MAIL FROM:<>'), /^535 5\.7\.8 /)
  const after = await greeted()
  assert.match(await after.say(line), /^535 5\.7\.8 /)
  after.close()
})

test('a process that is stopping accepts no new message', async () => {
  const { key } = await posthorn.team()
  const talk = await talkTo(smtps)
  await talk.logIn(key)
  posthorn.drain()
  assert.match(await talk.say('MAIL FROM:<>'), /^421 4\.3\.2 /)
  assert.equal(await talk.rest(), '')
})
