import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { openPostOffice } from './fixtures/post-office.ts'
import { postfix } from './fixtures/reports.ts'

const { posthorn, send, handBack, known } = await openPostOffice()

slowTest('a report of ten thousand recipients suppresses only the one it came back for', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team, { to: ['ada@example.com', 'bob@example.com'] })
  const group = (address: string) => `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`
  const groups = ['ada@example.com', ...Array.from({ length: 10_000 }, (_, at) => `n${at}@example.org`)]
    .map(group)
    .join('')
  const raw = `Message-ID: <many@a.example>\r\nContent-Type: message/delivery-status\r\n\r\n${groups}`
  assert.match(await handBack(returnAddress, raw), /^250 /)
  const { events, suppressed } = await known(team, id)
  assert.deepEqual([events, suppressed], [['sent', 'bounced'], ['ada@example.com bounce']])
})

test('a report with characters that a database cannot store is accepted', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const said = `550 5.1.1 \0\0 ${'\u{1f4a9}'.repeat(1000)}`
  const report = postfix({ to: returnAddress, recipient: 'ada@example.com', said })
  const broken = Buffer.concat([
    Buffer.from(report.replace('Reporting-MTA', 'X-Bytes: \0')),
    Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80]),
  ])
  assert.match(await handBack(returnAddress, broken), /^250 /)
  const { status, details } = await known(team, id)
  assert.equal(status, 'bounced')
  assert.match(details.bounce.bouncedRecipients[0].diagnosticCode, /^smtp; 550 5\.1\.1 /)
})

slowTest('a message that is not a report is accepted and ignored', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const nested = Array.from(
    { length: 400 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  )
  const messages = [
    '',
    '\r\n',
    'hello',
    nested.join(''),
    `Subject: ${'=?utf-8?q?'.repeat(90)}\r\n\r\n`,
    Buffer.alloc(5000, 0),
  ]
  for (const raw of messages) assert.match(await handBack(returnAddress, raw), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent'])
})
