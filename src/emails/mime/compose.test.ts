import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { composeMessage } from './compose.ts'
import type { MessageContent } from './content.ts'

const PLAIN: MessageContent = {
  messageId: '<0001@posthorn.example>',
  date: new Date('2026-03-04T05:06:07Z'),
  from: { name: 'Posthorn', address: 'hello@posthorn.example' },
  to: [{ name: null, address: 'you@b.example' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  text: 'Hi',
  html: null,
  attachments: [],
  headers: [],
}
const FILE = { filename: 'a.bin', contentType: null, contentId: null, content: Buffer.from('abc') }
const IMAGE = { filename: 'logo.png', contentType: null, contentId: '<logo>', content: Buffer.from('png') }

function compose(changes: Partial<MessageContent>): string {
  return composeMessage({ ...PLAIN, ...changes }).raw.toString('latin1')
}

/** Returns the content types in their order in the message. */
function typesOf(message: string): string[] {
  return [...message.matchAll(/^Content-Type: ([a-z]+\/[a-z-]+)/gm)].map((match) => match[1]!)
}

describe('the structure of a message', () => {
  it('is exactly one part for text alone', () => {
    const lines = [
      'From: Posthorn <hello@posthorn.example>',
      'To: you@b.example',
      'Subject: Hello',
      'Message-ID: <0001@posthorn.example>',
      'Date: Wed, 04 Mar 2026 05:06:07 +0000',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      'Hi',
      '',
    ]
    assert.equal(compose({}), lines.join('\r\n'))
  })

  it('has the multiparts that text, HTML and files need', () => {
    const both = { text: 'x', html: '<p>x' }
    const shapes: [Partial<MessageContent>, string[]][] = [
      [{ text: null, html: '<p>x' }, ['text/html']],
      [{ text: null, html: null }, ['text/plain']],
      [both, ['multipart/alternative', 'text/plain', 'text/html']],
      [{ attachments: [FILE] }, ['multipart/mixed', 'text/plain', 'application/octet-stream']],
      [{ attachments: [IMAGE] }, ['multipart/mixed', 'text/plain', 'image/png']],
      [{ text: null, html: 'x', attachments: [IMAGE] }, ['multipart/related', 'text/html', 'image/png']],
      [
        { ...both, attachments: [FILE, IMAGE] },
        [
          'multipart/mixed',
          'multipart/alternative',
          'text/plain',
          'multipart/related',
          'text/html',
          'image/png',
          'application/octet-stream',
        ],
      ],
    ]
    for (const [changes, types] of shapes) assert.deepEqual(typesOf(compose(changes)), types)
  })

  it('is the same, octet for octet, each time', () => {
    const changes = { html: '<p>é', attachments: [FILE, IMAGE] }
    assert.equal(compose(changes), compose(changes))
  })

  it('omits empty fields and keeps given headers in their order', () => {
    const message = compose({
      to: [],
      headers: [
        { name: 'X-B', value: '1' },
        { name: 'X-A', value: ' 2 ' },
        { name: 'X-C', value: '' },
      ],
    })
    assert.doesNotMatch(message, /^(To|Cc|Reply-To|Bcc):/m)
    assert.match(message, /\r\nX-B: 1\r\nX-A: 2\r\nX-C: \r\n/)
  })
})

describe('the body', () => {
  const encodingOf = (text: string) => /Transfer-Encoding: (\S+)/.exec(compose({ text }))![1]

  it('is 7bit only if relays leave it unchanged', () => {
    assert.equal(encodingOf(`${'x'.repeat(78)}\n= tab\tinside\n`), '7bit')
    for (const text of [
      'x'.repeat(79),
      'trailing \nblank',
      'From me',
      '.dotted line',
      'a bell \x07',
      'nearly all of this is ASCII, not ü',
    ]) {
      assert.equal(encodingOf(text), 'quoted-printable', text)
    }
    assert.equal(encodingOf('漢字かな交じり文'), 'base64')
  })

  it('has only CRLF as its line end, whichever line ends the text has', () => {
    for (const text of ['a\nb\rc\r\nd\n\re', 'ä\nb\rc\r\nd\n\re  \n x ascii ascii ascii', '漢\n字\r漢\r\n字']) {
      assert.doesNotMatch(compose({ text }), /\r(?!\n)|(?<!\r)\n/)
    }
  })

  it('escapes blanks at line ends, and dots and From at line starts, in quoted-printable', () => {
    const message = compose({ text: 'ünder \nend\t\n.dot\nFrom me\nFrom: no\nascii enough for it to be so' })
    const body = message.slice(message.indexOf('\r\n\r\n') + 4)
    assert.equal(body, '=C3=BCnder=20\r\nend=09\r\n=2Edot\r\n=46rom me\r\nFrom: no\r\nascii enough for it to be so\r\n')
  })
})

describe('boundaries', () => {
  const hostile = { html: '<p>' }
  const boundaryOf = (message: string) => /boundary="([^"]+)"/.exec(message)![1]!

  it('change if the content contains them', async () => {
    const first = boundaryOf(compose(hostile))
    const text = `a\r\n--${first}--\r\n\r\n--${first}\r\nContent-Type: text/html\r\n\r\nforged`
    const message = compose({ ...hostile, text })
    assert.notEqual(boundaryOf(message), first)
    const parsed = await PostalMime.parse(message)
    assert.equal(parsed.text?.trimEnd(), text.replaceAll('\r\n', '\n'))
    assert.equal(parsed.html?.trimEnd(), '<p>')
  })

  it('differ from message to message', () => {
    assert.notEqual(
      boundaryOf(compose(hostile)),
      boundaryOf(compose({ ...hostile, messageId: '<0002@posthorn.example>' })),
    )
  })
})

describe('a forged header is refused', () => {
  const inject = 'x\r\nBcc: victim@b.example'
  const attempts: [string, Partial<MessageContent>][] = [
    ['subject', { subject: inject }],
    ['a bare line feed', { subject: 'x\ny' }],
    ['a bare carriage return', { subject: 'x\ry' }],
    ['NUL', { subject: 'x\0y' }],
    ['a name', { from: { name: inject, address: 'a@b.example' } }],
    ['an address', { to: [{ name: null, address: `a@b.example\r\nBcc: c@d.example` }] }],
    ['an address that is a list', { to: [{ name: null, address: 'a@b.example, c@d.example' }] }],
    ['an address with brackets', { to: [{ name: 'x', address: 'a@b.example> <c@d.example' }] }],
    ['message id', { messageId: '<a@b>\r\nBcc: c@d.example' }],
    ['a header value', { headers: [{ name: 'X-A', value: inject }] }],
    ['a header name', { headers: [{ name: 'X-A: 1\r\nBcc', value: 'x' }] }],
    ['a header that is ours', { headers: [{ name: 'bCC', value: 'victim@b.example' }] }],
    ['a content header', { headers: [{ name: 'content-Transfer-Encoding', value: 'base64' }] }],
    ['a filename', { attachments: [{ ...FILE, filename: inject }] }],
    ['a media type', { attachments: [{ ...FILE, contentType: `text/plain\r\nX: y` }] }],
    ['a content id', { attachments: [{ ...FILE, contentId: 'a>\r\nX: y' }] }],
  ]
  for (const [what, changes] of attempts) {
    it(`in ${what}`, () => assert.throws(() => compose(changes), { code: 'ERR_ASSERTION' }))
  }
})

describe('files', () => {
  it('of 25 MiB are in the message octet for octet', () => {
    const content = Buffer.alloc(25 * 1024 * 1024, 'Posthorn carries every octet. ')
    const message = composeMessage({ ...PLAIN, attachments: [{ ...FILE, content }] }).raw
    const start = message.indexOf('\r\n\r\n', message.indexOf('Content-Disposition')) + 4
    const end = message.indexOf('\r\n--', start)
    assert.ok(content.equals(Buffer.from(message.toString('latin1', start, end), 'base64')))
  })

  it('of lengths around the ends of base64 lines and blocks are read back octet for octet', async () => {
    const stretch = 57 * 1024
    const lengths = [
      0,
      1,
      2,
      3,
      56,
      57,
      58,
      113,
      114,
      115,
      stretch - 1,
      stretch,
      stretch + 1,
      2 * stretch,
      2 * stretch + 57,
    ]
    const attachments = lengths.map((length) => ({ ...FILE, content: Buffer.alloc(length, 'octets') }))
    const message = compose({ attachments })
    assert.ok(message.split('\r\n').every((line) => line.length <= 78))
    const parsed = await PostalMime.parse(message)
    assert.deepEqual(
      parsed.attachments.map((file) => Buffer.from(file.content as ArrayBuffer)),
      attachments.map((file) => file.content),
    )
  })

  it('have the given type, the type of their extension, or application/octet-stream', () => {
    const typeOf = (filename: string, contentType: string | null) =>
      typesOf(compose({ attachments: [{ ...FILE, filename, contentType }] }))[2]
    assert.equal(typeOf('Bill.PDF', null), 'application/pdf')
    assert.equal(typeOf('pdf', null), 'application/octet-stream')
    assert.equal(typeOf('a.constructor', null), 'application/octet-stream')
    assert.equal(typeOf('a.pdf', 'text/x'), 'text/x')
  })

  it('have the type application/octet-stream if their own type forbids base64', () => {
    for (const contentType of ['message/rfc822', 'Multipart/mixed; boundary=x']) {
      assert.equal(typesOf(compose({ attachments: [{ ...FILE, contentType }] }))[2], 'application/octet-stream')
    }
  })
})
