import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../test/app.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const { posthorn, smtps } = await startSubmission()
const team = await posthorn.team()
const own = `hello@${team.domain}`

/** Submits a message, and returns the reply to its dot or to the command that was refused. */
async function submit(head: string[], to = ['ada@example.com']) {
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  for (const command of [`MAIL FROM:<${own}>`, ...to.map((path) => `RCPT TO:<${path}>`), 'DATA']) {
    const reply = await talk.say(command)
    if (!/^[23]/.test(reply)) return reply
  }
  const reply = await talk.say(`${head.join('\r\n')}\r\nSubject: Hello\r\n\r\nHello\r\n.`)
  talk.close()
  return reply
}

/** Returns the newest email as the API shows it, and its entry in the inbox. */
async function newest() {
  const [email] = (await team.api.get('/v1/emails')).body.data
  const [entry] = (await team.api.get('/v1/inbox')).body.data
  const raw = await team.api.get(`/v1/inbox/${entry.id}`, { accept: 'message/rfc822' })
  return { email: (await team.api.get(`/v1/emails/${email.id}`)).body, raw: raw.text }
}

const senders: [field: string, shown: string][] = [
  [`Support (Billing) <${own}>`, `"Support (Billing)" <${own}>`],
  [`${own} (Support)`, `Support <${own}>`],
  [`Support <(a) hello (b) @${team.domain} (c)>`, `Support <${own}>`],
  [`(Support) "hello"@${team.domain}`, `Support <${own}>`],
  [`=?utf-8?q?B=C3=BCro?= (=?utf-8?q?K=C3=B6ln?=) <${own}>`, `"Büro (Köln)" <${own}>`],
]
for (const [field, shown] of senders) {
  test(`a submitted message is from ${shown} if From is ${field}`, async () => {
    assert.match(await submit([`From: ${field}`]), /^250 /)
    const { email, raw } = await newest()
    assert.equal(email.from, shown)
    assert.ok(raw.includes(`From: ${field}`), 'the header is as it came')
  })
}

test('a recipient with quotes that are not needed is the one without, in the envelope and the header', async () => {
  assert.match(await submit([`From: ${own}`, 'To: Ada <"ada.l"@example.com>'], ['"ada.l"@example.com']), /^250 /)
  const { email } = await newest()
  assert.deepEqual([email.to, email.bcc], [['Ada <ada.l@example.com>'], null])
  await team.api.post('/v1/suppressions', { email: 'ada.l@example.com' })
  assert.match(await submit([`From: ${own}`], ['"a\\da.l"@example.com']), /^550 5\.7\.1 On the suppression list/)
})

test('an address that needs its quotes is refused with the reason, by SMTP and by the API', async () => {
  for (const path of ['"ada lovelace"@example.com', '"a>b"@example.com', '"a@b"@example.com']) {
    assert.match(await submit([`From: ${own}`], [path]), /^553 5\.1\.3 The part before the @ needs quotes/, path)
    const email = { from: own, to: [`Ada <${path}>`], subject: 'x', text: 'y' }
    const { status, body } = await team.api.post('/v1/emails', email)
    assert.deepEqual([status, body.name], [400, 'validation_error'])
    if (!path.includes('>')) assert.match(JSON.stringify(body), /to\[0\].*needs quotes/)
  }
})

test('comments are taken by the API, and the email is found by its address', async () => {
  const to = ['ada(work)@example.com', 'bob@example.com (Bob)', '"eve"@example.com']
  const email = {
    from: `Support (Billing) <${own}>`,
    to,
    cc: ['Team (a (b)) <team@example.com>'],
    subject: 'x',
    text: 'y',
  }
  const sent = await ok(team.api.post('/v1/emails', email))
  const { raw } = await newest()
  assert.match(raw, /^From: "Support \(Billing\)" <hello@/m)
  assert.match(raw, /^To: ada@example\.com, "?Bob"? <bob@example\.com>, eve@example\.com/m)
  for (const address of ['ada@example.com', 'bob@example.com', 'eve@example.com', 'team@example.com']) {
    const { data } = (await team.api.get(`/v1/emails?recipient=${encodeURIComponent(address)}`)).body
    assert.ok(
      data.some(({ id }: { id: string }) => id === sent.id),
      address,
    )
  }
  await team.api.post('/v1/suppressions', { email: 'bob@example.com' })
  assert.equal((await team.api.post('/v1/emails', email)).status, 422)
})
