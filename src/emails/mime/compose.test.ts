import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { composeMessage, type MessageContent } from './compose.ts'

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
  return composeMessage({ ...PLAIN, ...changes }).toString('latin1')
}

/** The content types in the order they stand, with the depth of each multipart visible by what follows. */
function typesOf(message: string): string[] {
  return [...message.matchAll(/^Content-Type: ([a-z]+\/[a-z-]+)/gm)].map((match) => match[1]!)
}

describe('the shape of a message', () => {
  it('is one part for text alone, word for word', () => {
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

  it('follows what it holds', () => {
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

  it('is the same to the octet each time', () => {
    const changes = { html: '<p>é', attachments: [FILE, IMAGE] }
    assert.equal(compose(changes), compose(changes))
  })

  it('leaves out what is empty and keeps given headers in their order', () => {
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

describe('a body travels', () => {
  const encodingOf = (text: string) => /Transfer-Encoding: (\S+)/.exec(compose({ text }))![1]

  it('as it is only where no relay has reason to touch it', () => {
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

  it('with CRLF alone as line end, whatever came in', () => {
    for (const text of ['a\nb\rc\r\nd\n\re', 'ä\nb\rc\r\nd\n\re  \n x ascii ascii ascii', '漢\n字\r漢\r\n字']) {
      assert.doesNotMatch(compose({ text }), /\r(?!\n)|(?<!\r)\n/)
    }
  })

  it('with blanks at line ends, dots and From at line starts escaped in quoted-printable', () => {
    const message = compose({ text: 'ünder \nend\t\n.dot\nFrom me\nFrom: no\nascii enough for it to be so' })
    const body = message.slice(message.indexOf('\r\n\r\n') + 4)
    assert.equal(body, '=C3=BCnder=20\r\nend=09\r\n=2Edot\r\n=46rom me\r\nFrom: no\r\nascii enough for it to be so\r\n')
  })
})

describe('boundaries', () => {
  const hostile = { html: '<p>' }
  const boundaryOf = (message: string) => /boundary="([^"]+)"/.exec(message)![1]!

  it('give way to content that holds them', async () => {
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

describe('nothing gets into the header', () => {
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
    it(`through ${what}`, () => assert.throws(() => compose(changes), { code: 'ERR_ASSERTION' }))
  }
})

describe('files', () => {
  it('of 25 MiB stand in the message to the octet', () => {
    const content = Buffer.alloc(25 * 1024 * 1024, 'Posthorn carries every octet. ')
    const message = composeMessage({ ...PLAIN, attachments: [{ ...FILE, content }] })
    const start = message.indexOf('\r\n\r\n', message.indexOf('Content-Disposition')) + 4
    const end = message.indexOf('\r\n--', start)
    assert.ok(content.equals(Buffer.from(message.toString('latin1', start, end), 'base64')))
  })

  it('of the lengths where base64 lines and stretches end come back to the octet', async () => {
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

  it('say their type by extension, as given, or nothing in particular', () => {
    const typeOf = (filename: string, contentType: string | null) =>
      typesOf(compose({ attachments: [{ ...FILE, filename, contentType }] }))[2]
    assert.equal(typeOf('Bill.PDF', null), 'application/pdf')
    assert.equal(typeOf('pdf', null), 'application/octet-stream')
    assert.equal(typeOf('a.constructor', null), 'application/octet-stream')
    assert.equal(typeOf('a.pdf', 'text/x'), 'text/x')
  })

  it('that claim a type base64 is forbidden for travel as octets', () => {
    for (const contentType of ['message/rfc822', 'Multipart/mixed; boundary=x']) {
      assert.equal(typesOf(compose({ attachments: [{ ...FILE, contentType }] }))[2], 'application/octet-stream')
    }
  })
})
