import assert from 'node:assert/strict'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { DomainError } from '../../platform/errors.ts'
import { parseMailbox } from '../mailbox.ts'
import { finishSource } from '../mime/source/finish.ts'
import { rewriteHtml } from '../mime/source/rewrite-html.ts'
import { shownTexts } from '../mime/source/shown-texts.ts'
import { identityOf } from './identity.ts'
import { readSubmission } from './read.ts'

const pieces = [
  ...['From: a@shop.test', 'From: "A, B" <a@shop.test>', 'To: x@y.co, Z <ada@example.com>', 'To: g:ada@example.com;'],
  ...['Cc: =?utf-8?Q?=0D=0ABcc?= <ada@example.com>', 'Bcc: eve@example.com', 'Subject: =?utf-8?b?w7w=?=', 'Subject'],
  ...['Content-Type: multipart/mixed; boundary=b', 'Content-Type: text/html; charset=utf-16', '--b', '--b--', '--bb'],
  ...['Content-Type: text/html; charset="x', 'Content-Transfer-Encoding: base64', 'Content-Disposition: attachment'],
  ...[
    'Content-Transfer-Encoding: quoted-printable',
    'Message-ID: <a@b>',
    'Message-ID: a',
    'Idempotency-Key: k',
    ' more',
  ],
  ...[
    '',
    '',
    '',
    '\t',
    ':',
    '=',
    '=4',
    '=\u00e9',
    '.',
    'PGI+aGk8L2I+',
    '<p>hi</p>=20=',
    '\u0000',
    '\uffff',
    'x'.repeat(1000),
  ],
]
const message = fc
  .array(fc.constantFrom(...pieces), { maxLength: 25 })
  .chain((lines) => fc.constantFrom('\r\n', '\n').map((end) => Buffer.from(`${pieces[0]}${end}${lines.join(end)}`)))
const email = { id: '01900000-0000-7000-8000-000000000000', messageId: '<ours@shop.test>', date: new Date(0) }

propertyTest(
  'any submitted message is refused with a reason, or read into an email that can be stored and sent',
  () => {
    let read = 0
    forAll({ always: 3000 }, message, (raw) => {
      const submission = { recipients: ['ADA@example.com', 'eve@example.com'], raw, received: 'by x with ESMTPSA' }
      try {
        const found = readSubmission(submission)
        identityOf(found)
        const { from, to, cc, bcc, subject, source } = found.command
        for (const text of [from, ...to, ...(cc ?? []), ...(bcc ?? [])]) assert(parseMailbox(text), text)
        assert.equal([...to, ...(cc ?? []), ...(bcc ?? [])].length, 2)
        assert.doesNotMatch(subject, /[\r\n\0]/)
        const octets = finishSource(source!, email)
        assert.deepEqual(shownTexts(octets), shownTexts(found.octets))
        const finished = octets.toString('latin1')
        assert.doesNotMatch(finished.slice(0, finished.indexOf('\r\n\r\n') + 2), /^(bcc|idempotency-key):/im)
        rewriteHtml(Buffer.from(finished, 'latin1'), (html) => `${html}!`)
        read++
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
      }
    })
    assert(read > 100, `only ${read} were read`)
  },
)
