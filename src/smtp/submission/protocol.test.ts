import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { patienceMs, until } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { openSubmission } from './doors.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const { posthorn, smtp, smtps } = await startSubmission()
const team = await posthorn.team()
const text = `From: hello@${team.domain}\r\nTo: ada@example.com\r\n\r\nHello\r\n`
const envelope = ['MAIL FROM:<me@client.test>', 'RCPT TO:<ada@example.com>', 'DATA']

async function total(): Promise<number> {
  return (await team.api.get('/v1/emails')).body.total
}

/** Returns a session that is logged in and waits for a text. */
async function atText() {
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  for (const command of envelope) assert.match(await talk.say(command), /^[23]/)
  return talk
}

test('only TLS is offered and accepted before TLS', async () => {
  const talk = await talkTo(smtp, { plain: true })
  assert.match(talk.greeting, /^220 localhost ESMTP Posthorn/)
  const offered = await talk.say('EHLO client.test')
  assert.match(offered, /^250[ -]STARTTLS\r$/m)
  assert.doesNotMatch(offered, /AUTH|CHUNKING/)
  assert.match(await talk.say(`AUTH PLAIN ${Buffer.from(`\0${team.key}\0`).toString('base64')}`), /^538 5\.7\.11 /)
  assert.match(await talk.say(envelope[0]!), /^530 5\.7\.0 Say STARTTLS first/)
  assert.match(await talk.say('RCPT TO:<ada@example.com>'), /^503 5\.5\.1 /)
  await talk.startTls()
  assert.match(await talk.say(envelope[0]!), /^530 5\.7\.0 /)
  const secure = await talk.say('EHLO client.test')
  assert.match(secure, /^250[ -]AUTH PLAIN LOGIN\r$/m)
  assert.match(secure, /^250-SIZE 41943040\r$/m)
  for (const extension of ['PIPELINING', '8BITMIME', 'ENHANCEDSTATUSCODES'])
    assert.match(secure, new RegExp(`^250-${extension}\\r$`, 'm'))
  assert.doesNotMatch(secure, /STARTTLS|CHUNKING/)
  assert.match(await talk.say('STARTTLS'), /^503 /)
  assert.match(await talk.say(envelope[0]!), /^530 5\.7\.0 /)
  talk.close()
})

test('commands injected after STARTTLS are never answered, with TLS or without', async () => {
  const talk = await talkTo(smtp, { plain: true })
  await talk.say('EHLO client.test')
  talk.write('STARTTLS\r\nEHLO injected.test\r\nNOOP\r\n')
  assert.match(await talk.rest(), /^421 4\.7\.0 [^\r]*\r\n$/)
  const later = await talkTo(smtp, { plain: true })
  await later.say('EHLO client.test')
  assert.match(await later.say('STARTTLS'), /^220 /)
  later.write('NOOP\r\n')
  assert.doesNotMatch(await later.rest(), /250/)
})

test('a smuggled second message is neither accepted nor sent, whatever the end of the first', async () => {
  const before = await total()
  const second = `MAIL FROM:<me@client.test>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n${text}.\r\n`
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r.\r\n', '\r\n.\r', '\n.\r']) {
    const talk = await atText()
    talk.write(`${text.trimEnd()}${end}${second}`)
    assert.match(await talk.rest(), /^554 5\.5\.2 [^\r]*\r\n$/, JSON.stringify(end))
  }
  assert.equal(await total(), before)
})

test('pipelined commands are answered in order, even across messages', async () => {
  const before = await total()
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  const one = `${envelope.join('\r\n')}\r\n${text}.\r\n`
  talk.write(`${one}${one}RSET\r\nQUIT\r\n`)
  const codes = [...(await talk.rest()).matchAll(/^(\d{3}) /gm)].map(([, code]) => code)
  assert.deepEqual(codes, ['250', '250', '354', '250', '250', '250', '354', '250', '250', '221'])
  assert.equal(await total(), before + 2)
})

test('a message that arrives byte by byte is read with its leading dots', async () => {
  const talk = await atText()
  const bytes = Buffer.from(`${text}..one\r\n...two\r\nGrüße\r\n.\r\n`)
  for (const byte of bytes) talk.write(Buffer.of(byte))
  const [, id] = /^250 2\.0\.0 Ok: (\S+)/.exec(await talk.reply())!
  talk.close()
  const { body } = await team.api.get(`/v1/emails/${id}`)
  assert.equal(body.text, 'Hello\n.one\n..two\nGrüße')
})

slowTest('the size limit is announced, and applies to declared and undeclared sizes', async () => {
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  assert.match(await talk.say('MAIL FROM:<a@b.test> SIZE=41943041'), /^552 5\.3\.4 /)
  assert.match(await talk.say('MAIL FROM:<a@b.test> SIZE=41943040 BODY=8BITMIME'), /^250 /)
  assert.match(await talk.say('RCPT TO:<ada@example.com>'), /^250 /)
  assert.match(await talk.say('DATA'), /^354 /)
  const line = `${'x'.repeat(76)}\r\n`.repeat(1000)
  for (let sent = 0; sent < 41 * 1024 * 1024; sent += line.length) talk.write(line)
  assert.match(await talk.say('.'), /^552 5\.3\.4 .*40 MiB/)
  assert.match(await talk.say('NOOP'), /^250 /)
  talk.close()
})

slowTest('25 MiB of attachments are accepted, and more are refused', async () => {
  for (const [sizeBytes, expected] of [
    [25 * 1024 * 1024, /^250 /],
    [25 * 1024 * 1024 + 1, /^552 5\.3\.4 .*25 MiB/],
  ] as const) {
    const talk = await atText()
    const content = Buffer.alloc(sizeBytes, 7).toString('base64').replace(/.{76}/g, '$&\r\n')
    const file = 'Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64'
    assert.match(await talk.say(`From: hello@${team.domain}\r\n${file}\r\n\r\n${content}\r\n.`), expected)
    talk.close()
  }
})

test('misplaced, unknown and malformed commands are refused, and a client that continues is disconnected', async () => {
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  const cases: [string, RegExp][] = [
    ['RCPT TO:<ada@example.com>', /^503 5\.5\.1 /],
    ['DATA', /^503 5\.5\.1 /],
    ['MAIL FROM:me@client.test', /^501 5\.5\.4 /],
    ['MAIL FROM:<me@client.test> RET=FULL', /^555 5\.5\.4 /],
    ['BDAT 10 LAST', /^500 5\.5\.1 /],
    ['GET / HTTP/1.1', /^500 5\.5\.1 /],
    ['EXPN list', /^500 5\.5\.1 /],
    ['constructor', /^500 5\.5\.1 /],
    ['VRFY ada', /^252 /],
    ['NOOP\u0001', /^500 5\.5\.2 /],
    ['MAIL FROM:<>', /^250 /],
    ['MAIL FROM:<>', /^503 5\.5\.1 /],
    ['DATA', /^554 5\.5\.1 /],
    ['RCPT TO:<ada@example.com> NOTIFY=NEVER', /^555 5\.5\.4 /],
    ['RCPT TO:<ada@example.com> ORCPT=rfc822;ada@example.com', /^555 5\.5\.4 /],
    ['RCPT TO:<ada@example.com> SIZE=100', /^555 5\.5\.4 Not known here: SIZE=100/],
    ['RCPT TO:<ada@example.com> RRVS=2026-01-01T00:00:00Z', /^555 5\.5\.4 /],
    ['RSET', /^250 /],
  ]
  for (const [command, expected] of cases) assert.match(await talk.say(command), expected, command)
  for (let count = 0; count < 60; count++) talk.write('NOOP\r\n')
  assert.match(await talk.rest(), /(250 [^\r]*\r\n)+421 4\.7\.0 [^\r]*\r\n$/)
})

test('a parameter of an extension that is not announced is refused', async () => {
  const talk = await talkTo(smtps)
  assert.doesNotMatch(await talk.say('EHLO client.test'), /SMTPUTF8/)
  await talk.logIn(team.key)
  assert.match(await talk.say('MAIL FROM:<me@client.test> SMTPUTF8'), /^555 5\.5\.4 /)
  assert.match(await talk.say('MAIL FROM:<me@client.test> SIZE=100 BODY=8BITMIME AUTH=<>'), /^250 /)
  talk.close()
})

test('endless lines, and lines that end with LF alone, are refused', async () => {
  const long = await talkTo(smtps)
  long.write('X'.repeat(20_000))
  assert.match(await long.rest(), /^500 5\.5\.6 /)
  const bare = await talkTo(smtps)
  bare.write('EHLO client.test\n')
  assert.match(await bare.reply(), /^500 5\.5\.2 /)
  bare.close()
})

test('a client that sends nothing or only single bytes is disconnected in time', async () => {
  const bounds = { loginMs: 300, commandMs: 300, textMs: 300, tlsMs: 300 }
  const door = (await openSubmission(posthorn.app, 'SMTP_PORT', 0, bounds))!
  const secure = (await openSubmission(posthorn.app, 'SMTPS_PORT', 0, bounds))!
  const drip = (write: (byte: string) => void) => setInterval(write, 20, 'X')
  const silent = await talkTo(door.port, { plain: true })
  const dripping = await talkTo(door.port, { plain: true })
  const timers = [drip(dripping.write)]
  const shaking = connect(secure.port, '127.0.0.1').on('error', () => undefined)
  const shaken = new Promise((resolve) => shaking.once('close', resolve))
  const texting = await talkTo(secure.port)
  await texting.logIn(team.key)
  for (const command of envelope) await texting.say(command)
  timers.push(drip(texting.write))
  for (const talk of [silent, dripping, texting]) assert.match(await talk.rest(), /^421 4\.4\.2 /)
  await shaken
  for (const timer of timers) clearInterval(timer)
  await Promise.all([door.close(0), secure.close(0)])
})

test('a server that stops disconnects idle clients, and finishes the message under way', async () => {
  const door = (await openSubmission(posthorn.app, 'SMTPS_PORT', 0))!
  const [idle, begun, sending] = [await talkTo(door.port), await talkTo(door.port), await talkTo(door.port)]
  for (const talk of [begun, sending]) await talk.logIn(team.key)
  await begun.say(envelope[0]!)
  for (const command of envelope) await sending.say(command)
  const closed = door.close(patienceMs)
  assert.match(await idle.rest(), /^421 4\.3\.2 /)
  assert.match(await sending.say(`${text}.`), /^250 /)
  assert.match(await sending.rest(), /^421 4\.3\.2 /)
  for (const command of envelope.slice(1)) assert.match(await begun.say(command), /^[23]/)
  assert.match(await begun.say(`${text}.`), /^250 /)
  await closed
  await assert.rejects(new Promise((_, reject) => connect(door.port, '127.0.0.1').on('error', reject)), /ECONNREFUSED/)
})

test('the connections of one address are limited', async () => {
  const door = (await openSubmission(posthorn.app, 'SMTP_PORT', 0))!
  const talks = await Promise.all(Array.from({ length: 250 }, () => talkTo(door.port, { plain: true })))
  assert(talks.every(({ greeting }) => greeting.startsWith('220 ')))
  const further = await talkTo(door.port, { plain: true })
  assert.match(further.greeting, /^421 4\.7\.0 /)
  talks[0]!.close()
  await talks[0]!.rest()
  await until(async () => (await talkTo(door.port, { plain: true })).greeting.startsWith('220 '))
  await door.close(0)
})
