import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAllAsync } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { factsOfReport } from '../facts.ts'
import { complaint, exchange, exim, postfix, qmail } from '../fixtures/reports.ts'
import { enhancedCodes } from './beside.ts'
import { readReport } from './read.ts'
import { statusesInText } from './statuses-in-text.ts'

const returned = { to: 'bounce+1@send.shop.test', recipient: 'ada@example.com' }

const email = {
  ...{ teamId: 't', emailId: 'e', isPending: false, messageId: '<e@shop.test>', at: new Date('2026-01-31T12:00:00Z') },
  ...{ recipient: 'ada@example.com', summary: { from: 'hello@shop.test' } },
}

const hostile: [what: string, raw: string][] = [
  ['ten thousand recipients', status('Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\n\r\n'.repeat(10_000))],
  ['one field of many lines', status(`Action: failed\r\nDiagnostic-Code: smtp\r\n${' x\r\n'.repeat(40_000)}`)],
  ['nothing but blank lines', status('\r\n'.repeat(60_000))],
  ['parts without end', `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(20_000)}`],
  [
    'parts in parts',
    Array.from({ length: 2000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`).join(
      '',
    ),
  ],
  ['messages in messages', 'Content-Type: message/rfc822\r\n\r\n'.repeat(4000)],
  ['a header without end', 'Subject: x\r\n'.repeat(20_000)],
  ['a text of codes', `From: mailer-daemon@a.example\r\n\r\n${'5.1.'.repeat(30_000)}`],
  ['a text of blank lines', `From: mailer-daemon@a.example\r\n\r\n${'\r\n'.repeat(60_000)}`],
  ['markup without end', `Content-Type: text/html\r\n\r\n${'<p><!--<a href="'.repeat(8000)}`],
  [
    'failed recipients that are words of the text',
    `X-Failed-Recipients: ${Array.from({ length: 50 }, () => `${'a '.repeat(600)}b`).join(',')}\r\n\r\n${'a '.repeat(8000)}`,
  ],
  ['no bytes', ''],
]
for (const [what, raw] of hostile) {
  test(`a hostile message is read without harm: ${what}`, async () => {
    const report = await readReport(Buffer.from(raw))
    if (report.kind === 'status') assert(report.recipients.length <= 101)
    assert(JSON.stringify(report).length < 200_000)
  })
}

test('another server’s text is kept without control characters and in bounded length', async () => {
  const said = `550 \0 \x1b[31m \u2028 ${'😀'.repeat(3000)}`
  const report = await readReport(Buffer.from(postfix({ ...returned, said })))
  assert(report.kind === 'status')
  const { diagnosticCode } = report.recipients[0]!
  assert.doesNotMatch(diagnosticCode, /\p{Cc}/u)
  assert(diagnosticCode.length <= 500 && diagnosticCode.isWellFormed())
})

propertyTest('a damaged report raises no error, and is still only about its recipient', async () => {
  const reports = [postfix, exim, exchange, qmail].map((write) => write(returned))
  reports.push(complaint({ to: returned.to, fields: 'Original-Rcpt-To: ada@example.com' }))
  const damaged = fc.record({
    report: fc.constantFrom(...reports),
    at: fc.nat(4000),
    length: fc.nat(400),
    junk: fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(...reports).map((text) => Buffer.from(text)),
    ),
  })
  await forAllAsync(300, damaged, async ({ report, at, length, junk }) => {
    const raw = Buffer.from(report)
    const read = await readReport(Buffer.concat([raw.subarray(0, at), junk, raw.subarray(at + length)]))
    assert(JSON.stringify(read).isWellFormed())
    const facts = factsOfReport(email, read, email.at)
    assert(facts.every(({ recipient }) => recipient === email.recipient))
  })
})

test('parts of addresses and versions are not status codes', () => {
  const texts: [text: string, code: string | null][] = [
    ['550 5.1.1 no such user', '5.1.1'],
    ['550-5.1.1', '5.1.1'],
    ['(#5.7.26)', '5.7.26'],
    ['said: 4.2.2.', '4.2.2'],
    ['[5.188.10.2]', null],
    ['10.5.1.1', null],
    ['v5.1.1', null],
    ['5.1.1-rc', null],
    ['3.1.1 and 5.1', null],
    ['5.1.1000', null],
  ]
  for (const [text, code] of texts) assert.deepEqual(enhancedCodes(text), code === null ? [] : [code], text)
})

function status(text: string): string {
  return `Content-Type: message/delivery-status\r\n\r\n${text}`
}

test('an address that is only a part of another is not found in a text', () => {
  const text = 'j.smith@c.example: 550 5.1.1 no such user\nbob@corp.example.com: 550 5.1.1 gone'
  const bounce = { text, failed: [], isFailure: true, isWarning: false }
  assert.deepEqual(statusesInText(bounce, ['smith@c.example', 'bob@corp.example']), [])
  const told = statusesInText(bounce, ['smith@c.example', 'J.Smith@c.example'])
  assert.deepEqual(
    told.map(({ names, status }) => [...names, status]),
    [['J.Smith@c.example', '5.1.1']],
  )
})
