import assert from 'node:assert/strict'
import { describe } from 'node:test'
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import PostalMime, { type Email } from 'postal-mime'
import { anyCharacter } from '../../../test/any-text.ts'
import { forAll, forAllAsync } from '../../../test/for-all.ts'
import { propertyTest, randomCases } from '../../../test/slow.ts'
import { wireAddress } from '../../platform/text/mail-address.ts'
import type { Mailbox } from '../mailbox.ts'
import { composeMessage } from './compose.ts'
import type { Attachment, MessageContent } from './content.ts'

const words = fc.string({ unit: anyCharacter, maxLength: 60 })
/** Long mixed texts: ASCII, other scripts, every kind of line end, blanks at line ends, dots, `From `. */
const prose = fc
  .array(
    fc.oneof(
      words,
      fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '=', '.', 'From ', '--', 'plain words '),
      fc.nat(200).map((n) => 'w'.repeat(n)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))
/** A subject or a name, without line ends and NUL, which the API refuses. */
const line = fc
  .array(fc.oneof(words, fc.constantFrom(' ', '  ', '"', '\\', ',', '=?', '?=', '<a@b.co>', 'plain', "'")), {
    maxLength: 8,
  })
  .map((pieces) => pieces.join('').replace(/[\r\n\0]/g, ''))
const address = fc.constantFrom(
  'a@b.co',
  'first.last+tag@mail.b.example',
  "o'neil@münchen.example",
  `${'l'.repeat(64)}@${'d'.repeat(63)}.example`,
)
const mailbox: fc.Arbitrary<Mailbox> = fc.record({ name: fc.option(line.map((name) => name.trim())), address })
const attachment: fc.Arbitrary<Attachment> = fc.record({
  filename: line.filter((name) => name !== ''),
  contentType: fc.constantFrom(null, 'application/pdf', 'image/png', 'application/x-thing; version=2'),
  contentId: fc.option(fc.stringMatching(/^[a-z0-9.]{1,30}@[a-z]{1,9}$/)),
  content: fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from(octets)),
})
/** Content whose texts are not encoded yet. */
type Given = MessageContent & { text: string | null; html: string | null }
const content: fc.Arbitrary<Given> = fc.record({
  messageId: fc.uuid().map((id) => `<${id}@posthorn.example>`),
  date: fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  from: mailbox,
  to: fc.array(mailbox, { minLength: 1, maxLength: 5 }),
  cc: fc.array(mailbox, { maxLength: 3 }),
  replyTo: fc.array(mailbox, { maxLength: 1 }),
  subject: line,
  text: fc.option(prose),
  html: fc.option(prose.map((text) => `<p>${text}</p>`)),
  attachments: fc.array(attachment, { maxLength: 3 }),
  headers: fc.array(fc.record({ name: fc.constantFrom('X-One', 'X-Two'), value: line.map((value) => value.trim()) }), {
    maxLength: 2,
  }),
})

describe('every composed message', () => {
  propertyTest('is read back as given', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (given) => assertSame(await PostalMime.parse(composeMessage(given).raw), given)),
      { numRuns: randomCases(150) },
    )
  })

  propertyTest('is ASCII in lines of at most 998 that end in CRLF', () => {
    forAll(150, content, (given) => {
      const message = composeMessage(given).raw.toString('latin1')
      assert.match(message, /^[\t\r\n -~]*\r\n$/)
      assert.doesNotMatch(message, /\r(?!\n)|(?<!\r)\n/)
      assert.ok(message.split('\r\n').every((text) => text.length <= 998))
      assert.ok(composeMessage(given).raw.equals(Buffer.from(message, 'latin1')))
    })
  })

  propertyTest('reads like the message that nodemailer composes from the same content', async () => {
    await forAllAsync(60, content, async (given) => {
      // Nodemailer loses bare carriage returns, and blanks around a subject.
      const subject = given.subject.trim()
      const plain = { ...given, subject, text: shown(given.text), html: given.html && shown(given.html) }
      const [ours, theirs] = await Promise.all([PostalMime.parse(composeMessage(plain).raw), parseTheirs(plain)])
      for (const field of ['subject', 'messageId', 'date', 'from', 'to', 'cc', 'replyTo'] as const) {
        assert.deepEqual(ours[field], theirs[field], field)
      }
      assert.equal(shown(ours.text), shown(theirs.text))
      assert.equal(shown(ours.html), shown(theirs.html))
      assert.deepEqual(filesOf(ours), filesOf(theirs))
    })
  })
})

async function parseTheirs(given: Given): Promise<Email> {
  const mailboxes = (list: Mailbox[]) => list.map(({ name, address }) => ({ name: name ?? '', address }))
  const composer = new MailComposer({
    ...given,
    from: mailboxes([given.from])[0],
    to: mailboxes(given.to),
    cc: mailboxes(given.cc),
    replyTo: mailboxes(given.replyTo),
    text: given.text ?? undefined,
    html: given.html ?? undefined,
    attachments: given.attachments.map(({ filename, contentType, contentId, content }) => ({
      filename,
      content,
      contentType: contentType ?? undefined,
      cid: contentId ?? undefined,
    })),
    headers: given.headers.map(({ name, value }) => ({ key: name, value })),
  })
  return await PostalMime.parse(await composer.compile().build())
}

function filesOf(read: Email): string[] {
  return read.attachments
    .map((file) => `${file.filename} ${file.contentId} ${Buffer.from(file.content as ArrayBuffer).toString('hex')}`)
    .sort()
}

function assertSame(read: Email, given: Given): void {
  assert.equal(read.subject ?? '', given.subject)
  assert.equal(read.messageId, given.messageId)
  assert.equal(new Date(read.date!).getTime(), Math.floor(given.date.getTime() / 1000) * 1000)
  assert.deepEqual([read.from], [given.from].map(readAs))
  assert.deepEqual(read.to ?? [], given.to.map(readAs))
  assert.deepEqual(read.cc ?? [], given.cc.map(readAs))
  assert.deepEqual(read.replyTo ?? [], given.replyTo.map(readAs))
  assert.equal(shown(read.text), shown(given.text ?? (given.html === null ? '' : read.text)))
  assert.equal(shown(read.html), shown(given.html))
  assert.deepEqual(
    read.attachments.map((file) => file.filename).sort(),
    given.attachments.map((file) => file.filename).sort(),
  )
  for (const file of given.attachments) {
    const id = file.contentId === null ? undefined : `<${file.contentId}>`
    assert.ok(
      read.attachments.some(
        (other) =>
          other.filename === file.filename &&
          other.contentId === id &&
          file.content.equals(new Uint8Array(other.content as ArrayBuffer)),
      ),
    )
  }
}

function readAs(mailbox: Mailbox): { name: string; address: string } {
  return { name: mailbox.name ?? '', address: wireAddress(mailbox.address) }
}

/** Returns the text as a client shows it: with LF line ends and without blank lines at the end. */
function shown(text: string | null | undefined): string {
  return (text ?? '').replace(/\r\n?/g, '\n').trimEnd()
}
