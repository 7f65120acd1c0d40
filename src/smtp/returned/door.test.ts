import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { databaseProxy } from '../../../test/database-proxy.ts'
import { patienceMs } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { returnAddress as addressFor } from '../../emails/return-address.ts'
import { openInbound } from './door.ts'
import { openPostOffice } from './fixtures/post-office.ts'
import { exim, postfix } from './fixtures/reports.ts'

const database = databaseProxy()
after(() => database.close())
const { posthorn, port, send, handBack, known } = await openPostOffice({ through: database.through })
const team = await posthorn.team()

/** Opens a conversation. `say` sends a line and returns the reply's last line. */
async function call(
  to = port,
): Promise<{ socket: Socket; greeting: string; say(line: string): Promise<string>; hear(): Promise<string> }> {
  const socket = connect(to, '127.0.0.1').setEncoding('latin1')
  let received = ''
  let more = Promise.withResolvers<void>()
  socket.on('error', () => undefined)
  socket.on('close', () => more.resolve())
  socket.on('data', (text) => {
    received += text
    more.resolve()
  })
  const reply = async (): Promise<string> => {
    for (;;) {
      const lines = /^((?:\d{3}-.*\r\n)*(\d{3} .*)\r\n)/.exec(received)
      if (lines) received = received.slice(lines[1]!.length)
      if (lines) return lines[2]!
      if (socket.destroyed) return 'closed'
      await more.promise
      more = Promise.withResolvers()
    }
  }
  const greeting = await reply()
  const say = (line: string) => {
    socket.write(line, 'latin1')
    return reply()
  }
  return { socket, greeting, say, hear: reply }
}

slowTest('one address may hold 10 connections, and one message has 5 recipients at most', async () => {
  const calls = await Promise.all(Array.from({ length: 12 }, () => call()))
  const greetings = calls.map(({ greeting }) => greeting.slice(0, 3)).sort()
  assert.deepEqual(greetings, [...Array(10).fill('220'), '421', '421'])
  const gone = calls.map(({ socket }) => (socket.closed ? undefined : once(socket.destroy(), 'close')))
  await Promise.all(gone)
  const { greeting, socket, say } = await call()
  assert.match(greeting, /^220 /)
  await say('EHLO a.test\r\n')
  assert.match(await say('AUTH PLAIN AGEAYg==\r\n'), /^500 /)
  await say('MAIL FROM:<>\r\n')
  const replies = []
  for (let made = 0; made < 6; made++) {
    const { returnAddress } = await send(team)
    replies.push((await say(`RCPT TO:<${returnAddress}>\r\n`)).slice(0, 3))
  }
  assert.deepEqual(replies, ['250', '250', '250', '250', '250', '452'])
  socket.destroy()
})

test('an address that is not signed for its email, domain and installation is refused', async () => {
  const { id, returnAddress } = await send(team)
  const other = await send(team)
  const [local = '', domain = ''] = returnAddress.split('@')
  const foreign = [
    `bounce+${id}@${domain}`,
    `bounce+${id.replaceAll('-', '')}@${domain}`,
    `${local}@send.other.test`,
    `${local.slice(0, 46)}${other.returnAddress.slice(46)}`,
    `hello@${team.domain}`,
    'ada@example.com',
  ]
  for (const address of foreign) {
    assert.match(
      await handBack(address, postfix({ to: address, recipient: 'ada@example.com' })),
      /^550 5\.1\.1 /,
      address,
    )
  }
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('a report to an address signed for another domain than the email’s is accepted and ignored', async () => {
  const stranger = await posthorn.team()
  const { id } = await send(team)
  const foreign = { emailId: id, recipient: 0, returnPath: `send.${stranger.domain}` }
  const address = addressFor(posthorn.app.keyring, foreign, posthorn.clock.now())
  assert.match(await handBack(address, postfix({ to: address, recipient: 'ada@example.com' })), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('a report is refused temporarily without the database, and accepted once it is back', async () => {
  const { id, returnAddress } = await send(team, { to: ['cut@example.com'] })
  const report = postfix({ to: returnAddress, recipient: 'cut@example.com' })
  database.cut()
  const reply = await handBack(returnAddress, report)
  database.mend()
  assert.match(reply, /^451 4\.3\.0 /)
  assert.match(await handBack(returnAddress, report), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})

test('a report is recorded whose returned message has 3 MiB', async () => {
  const { id, returnAddress } = await send(team, { to: ['files@example.com'] })
  const report = exim({ to: returnAddress, recipient: 'files@example.com' })
  const large = report.replace('It works.', 'c29tZSBiYXNlNjQ=\r\n'.repeat((3 * 2 ** 20) / 18))
  const { say, socket } = await call()
  await say('EHLO a.test\r\n')
  assert.match(await say(`MAIL FROM:<> SIZE=${large.length}\r\n`), /^250 /)
  socket.destroy()
  assert.match(await handBack(returnAddress, large), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})

slowTest('a message larger than 50 MiB is refused and not recorded', async () => {
  const { id, returnAddress } = await send(team)
  const report = postfix({ to: returnAddress, recipient: 'ada@example.com' })
  const { say } = await call()
  await say('EHLO a.test\r\n')
  assert.match(await say(`MAIL FROM:<> SIZE=${2 ** 26}\r\n`), /^552 /)
  await say('MAIL FROM:<>\r\n')
  await say(`RCPT TO:<${returnAddress}>\r\n`)
  await say('DATA\r\n')
  assert.match(await say(`${report}${'long line\r\n'.repeat((50 * 2 ** 20) / 11)}.\r\n`), /^552 /)
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('an end of the message that only some servers recognise is refused, and no command after it is read', async () => {
  const { id, returnAddress } = await send(team)
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r']) {
    const { socket, say } = await call()
    await say('EHLO a.test\r\n')
    await say('MAIL FROM:<>\r\n')
    await say(`RCPT TO:<${returnAddress}>\r\n`)
    await say('DATA\r\n')
    const hidden = `RSET\r\nMAIL FROM:<>\r\nRCPT TO:<${returnAddress}>\r\nDATA\r\n${postfix({ to: 'x', recipient: 'ada@example.com' })}`
    assert.match(await say(`Subject: x\r\n\r\nwords${end}${hidden}\r\n.\r\n`), /^550 5\.6\.0 /, JSON.stringify(end))
    assert.match(await say('QUIT\r\n'), /^221 /)
    socket.destroy()
  }
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('a line that begins with a doubled dot is an ordinary line', async () => {
  const { id, returnAddress } = await send(team)
  const report = postfix({ to: returnAddress, recipient: 'ada@example.com' }).replace(
    "I'm sorry",
    ".\r\n..\r\nI'm sorry",
  )
  assert.match(await handBack(returnAddress, report), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})

test('clients are served with and without encryption', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const report = postfix({ to: returnAddress, recipient: 'ada@example.com' })
  const { socket, say } = await call()
  assert.match(await say('EHLO a.test\r\n'), /^250 STARTTLS|SIZE/)
  await say('MAIL FROM:<>\r\n')
  await say(`RCPT TO:<${returnAddress}>\r\n`)
  await say('DATA\r\n')
  assert.match(await say(`${report}.\r\n`), /^250 /)
  assert.match(await say('STARTTLS\r\n'), /^220 /)
  const secure = connectTls({ socket, rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  assert.equal(secure.getPeerCertificate().subject.CN, 'localhost')
  secure.write('EHLO a.test\r\n')
  assert.doesNotMatch(String((await once(secure, 'data'))[0]), /AUTH|STARTTLS/)
  secure.destroy()
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})

test('a client that is too slow is disconnected', async () => {
  const door = (await openInbound(posthorn.app, 150))!
  const { say, hear } = await call(door.port)
  await say('EHLO a.test\r\n')
  assert.match(await hear(), /^421 4\.4\.2 /)
  assert.equal(await hear(), 'closed')
  await door.close(1000)
})

test('a port that closes finishes the message under way, and disconnects idle clients', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const door = (await openInbound(posthorn.app))!
  const [idle, busy] = await Promise.all([call(door.port), call(door.port)])
  await busy.say('EHLO a.test\r\n')
  await busy.say('MAIL FROM:<>\r\n')
  await busy.say(`RCPT TO:<${returnAddress}>\r\n`)
  assert.match(await busy.say('DATA\r\n'), /^354 /)
  const closed = door.close(patienceMs)
  assert.match(await idle.hear(), /^421 4\.3\.2 /)
  assert.match(await busy.say(`${postfix({ to: returnAddress, recipient: 'ada@example.com' })}.\r\n`), /^250 /)
  assert.match(await busy.say('QUIT\r\n'), /^421 /)
  await closed
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})
