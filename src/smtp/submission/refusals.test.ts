import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const { posthorn, smtps } = await startSubmission()

type Mail = { key?: string; to?: string[]; head?: string[]; body?: string }

/** Sends one message over a new connection, and returns the reply to its final dot or to the refused command. */
async function submit(
  team: TestTeam,
  { key = team.key, to = ['ada@example.com'], head, body = 'Hello\r\n' }: Mail = {},
) {
  const talk = await talkTo(smtps)
  await talk.logIn(key)
  const commands = ['MAIL FROM:<me@client.test>', ...to.map((address) => `RCPT TO:<${address}>`), 'DATA']
  for (const command of commands) {
    const reply = await talk.say(command)
    if (!/^[23]/.test(reply)) return reply
  }
  const fields = head ?? [`From: Shop <hello@${team.domain}>`, 'To: ada@example.com', 'Subject: Hello']
  const reply = await talk.say(`${fields.join('\r\n')}\r\n\r\n${body}.`)
  talk.close()
  return reply
}

async function assertNothingStored({ api, id }: TestTeam) {
  assert.equal((await api.get('/v1/emails')).body.total, 0)
  for (const table of ['email_contents', 'idempotency_keys'] as const) {
    const rows = await posthorn.app.db.selectFrom(table).select('team_id').where('team_id', '=', id).execute()
    assert.deepEqual(rows, [], table)
  }
}

test('the API’s rules for domains, keys and suppressions apply, each with its own reply, and nothing is stored', async () => {
  const team = await posthorn.team()
  const other = await posthorn.team()
  const scoped = await team.newKey({ domainId: team.domainId })
  await team.api.post('/v1/domains', { name: 'second.test' })
  await team.api.post('/v1/suppressions', { email: 'eve@example.com' })
  const from = (address: string) => [`From: ${address}`, 'Idempotency-Key: one']
  const cases: [Mail, RegExp][] = [
    [{ head: from('a@nowhere.test') }, /^550 5\.7\.1 nowhere\.test is not a verified domain/],
    [{ head: from(`a@${other.domain}`) }, /^550 5\.7\.1 .* is not a verified domain/],
    [{ key: scoped.key, head: from('a@second.test') }, /^550 5\.7\.1 This API key may send only from its own domain/],
    [{ to: ['ada@example.com', 'EVE@example.com'] }, /^550 5\.7\.1 On the suppression list: EVE@example\.com/],
  ]
  for (const [mail, expected] of cases) assert.match(await submit(team, mail), expected)
  await assertNothingStored(team)
  assert.match(await submit(team, { key: scoped.key }), /^250 2\.0\.0 /)
})

test('the limits per day, per second and of requests per minute are temporary refusals', async () => {
  const day = await posthorn.team({ limits: { dailyEmailLimit: 1 } })
  assert.match(await submit(day), /^250 /)
  assert.match(await submit(day), /^452 4\.7\.1 The daily email limit/)
  const second = await posthorn.team({ limits: { emailsPerSecond: 1, batchSize: 1 } })
  assert.match(await submit(second), /^250 /)
  assert.match(await submit(second), /^451 4\.7\.1 More than 1 emails a second/)
  const minute = await posthorn.team({ limits: { apiRequestsPerMinute: 2 } })
  const scoped = await minute.newKey()
  assert.match(await submit(minute, { key: scoped.key }), /^250 /)
  assert.equal((await scoped.api.get('/v1/emails')).status, 200)
  assert.match(await submit(minute, { key: scoped.key }), /^451 4\.7\.1 More than 2 requests this minute/)
  posthorn.clock.advance(60_000)
  assert.match(await submit(minute, { key: scoped.key }), /^250 /)
})

test('an ambiguous header is refused with the reason', async () => {
  const team = await posthorn.team()
  const from = `From: hello@${team.domain}`
  const cases: [Mail, RegExp][] = [
    [{ head: ['Subject: x'] }, /^554 5\.6\.0 From: must be one address/],
    [{ head: [from, 'From: b@evil.test'] }, /^554 5\.6\.0 from: stands in the header more than once/],
    [{ head: [from, 'from : b@evil.test'] }, /^554 5\.6\.0 from: stands in the header more than once/],
    [{ head: [`${from}, b@evil.test`] }, /^554 5\.6\.0 From: must be one address/],
    [{ head: [`From: b@evil.test <hello@${team.domain}>`] }, /^554 5\.6\.0 From: must be one address/],
    [{ head: [`From: group: hello@${team.domain};`] }, /^554 5\.6\.0 From: must be one address/],
    [{ head: [from, 'Subject: a', 'Subject: b'] }, /^554 5\.6\.0 subject: stands/],
    [{ head: [from, 'Message-ID: <a@b>', 'Message-Id: <c@d>'] }, /^554 5\.6\.0 message-id: stands/],
    [{ head: [from, 'Idempotency-Key: a', 'Idempotency-Key: b'] }, /^554 5\.6\.0 idempotency-key: stands/],
    [{ head: [from, 'Sender: boss@bank.test'] }, /^550 5\.7\.1 Sender must be on the domain of From/],
    [{ head: ['From me@x Sat Jan 1', from] }, /^554 5\.6\.0 A line of the header is no field/],
    [{ head: [from, 'Subject: a\rBcc: b@c.test'] }, /^554 5\.6\.0 The message holds a CR without LF/],
    [{ head: [from, 'Subject: a\0b'] }, /^554 5\.6\.0 The message holds a NUL/],
    [{ head: [from, `Subject: ${'x'.repeat(1000)}`] }, /^554 5\.6\.0 The message has a line of more than 998/],
    [
      { head: [from, `Subject: ${'x '.repeat(480)}\r\n ${'x '.repeat(480)}`] },
      /^554 5\.6\.0 Subject: is longer than 998/,
    ],
    [
      { head: [from, ...Array.from({ length: 300 }, (_, n) => `X-${n}: ${'x'.repeat(900)}`)] },
      /^554 5\.6\.0 The header is larger/,
    ],
    [{ head: [from, ...Array.from({ length: 101 }, () => 'Received: by x')] }, /^554 5\.6\.0 .*circles/],
  ]
  for (const [mail, expected] of cases) assert.match(await submit(team, mail), expected)
  await assertNothingStored(team)
})

test('texts that exceed their limits are refused', async () => {
  const team = await posthorn.team()
  const head = (type: string) => [`From: hello@${team.domain}`, `Content-Type: ${type}`]
  const cases: [Mail, RegExp][] = [
    [{ body: `${'x'.repeat(999)}\r\n` }, /^554 5\.6\.0 The message has a line/],
    [
      { head: head('multipart/mixed; boundary=b'), body: '--b\r\n\r\nx\r\n'.repeat(600) },
      /^554 5\.6\.0 The message has more than 500 parts/,
    ],
    [{ to: ['no-address'] }, /^553 5\.1\.3 /],
    [{ to: ['a@[127.0.0.1]'] }, /^553 5\.1\.3 /],
    [{ to: ['"ada lovelace"@example.com'] }, /^553 5\.1\.3 The part before the @ needs quotes/],
    [{ to: Array.from({ length: 101 }, (_, n) => `p${n}@example.com`) }, /^452 4\.5\.3 At most 100 recipients/],
  ]
  for (const [mail, expected] of cases) assert.match(await submit(team, mail), expected)
  await assertNothingStored(team)
  assert.match(await submit(team, { body: `${'x'.repeat(998)}\r\n` }), /^250 /)
  assert.match(await submit(team, { to: Array.from({ length: 100 }, (_, n) => `p${n}@example.com`) }), /^250 /)
})

slowTest('hostile header values take linear time', async () => {
  const team = await posthorn.team()
  const from = `From: hello@${team.domain}`
  const fold = (text: string) => text.repeat(Math.floor(900 / text.length))
  const lines = (text: string) => Array.from({ length: 120 }, () => fold(text)).join('\r\n ')
  for (const text of ['<', '(', '"', '\\', 'a,', '=?utf-8?q?', '=?', ';a=', 'a:', '<a@b.co>,', ' \t']) {
    const head = [
      from,
      `To: ${lines(text)}`,
      `X-Any: ${lines(text)}`.slice(0, 900),
      `Content-Type: text/plain; ${fold(text)}`,
    ]
    assert.match(await submit(team, { head }), /^(250|554)/, text)
  }
})

test('bare line feeds become line ends', async () => {
  const team = await posthorn.team()
  assert.match(
    await submit(team, { head: [`From: hello@${team.domain}\nX-Order: 42\nSubject: lines`], body: 'a\nb\r\n' }),
    /^250 /,
  )
  const [{ id }] = (await team.api.get('/v1/inbox')).body.data
  const { body } = await team.api.get(`/v1/inbox/${id}`)
  assert.deepEqual([body.subject, body.headers['X-Order'], body.text], ['lines', '42', 'a\nb'])
})
