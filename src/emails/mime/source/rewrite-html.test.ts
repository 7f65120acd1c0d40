import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { rewriteHtml } from './rewrite-html.ts'

const shout = (html: string) => html.replace('hello', 'HELLO world')

function message(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

const nested = message(
  'From: a@shop.test',
  'Content-Type: multipart/mixed; boundary=outer',
  '',
  'preamble',
  '--outer',
  'Content-Type: multipart/alternative;',
  ' boundary="outer-inner"',
  '',
  '--outer-inner',
  'Content-Type: text/plain',
  '',
  'hello in plain',
  '--outer-inner',
  'Content-Type: text/html; charset="iso-8859-1"; format=flowed',
  'X-Kept: yes',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>hello caf=E9 =',
  'on</p>',
  '--outer-inner--',
  '--outer',
  'Content-Type: text/html; name=page.html',
  'Content-Disposition: attachment; filename=page.html',
  '',
  '<p>hello in a file</p>',
  '--outer--',
  'epilogue',
)

test('an HTML text is changed wherever it is nested, and every other octet stays', async () => {
  const changed = rewriteHtml(nested, shout)
  const { html, text, attachments } = await PostalMime.parse(changed)
  assert.equal(html?.trim(), '<p>HELLO world café on</p>')
  assert.equal(text?.trim(), 'hello in plain')
  assert.equal(
    Buffer.from(attachments[0]!.content as ArrayBuffer)
      .toString()
      .trim(),
    '<p>hello in a file</p>',
  )
  const [start, end] = [nested.indexOf('Content-Type: text/html'), nested.indexOf('\r\n--outer-inner--')]
  assert.deepEqual(changed.subarray(0, start), nested.subarray(0, start))
  assert.deepEqual(changed.subarray(changed.indexOf('\r\n--outer-inner--')), nested.subarray(end))
  const head = changed.toString('latin1', start, changed.indexOf('\r\n\r\n', start))
  assert.deepEqual(head.split('\r\n'), [
    'Content-Type: text/html; charset="iso-8859-1"; format=flowed',
    'X-Kept: yes',
    'Content-Transfer-Encoding: quoted-printable',
  ])
})

test('a message with an HTML part only keeps its headers', async () => {
  const source = message('Subject: x', 'Content-Type: text/html', 'To: b@c.test', '', '<p>hello</p>', '')
  const changed = rewriteHtml(source, shout)
  const parsed = await PostalMime.parse(changed)
  assert.equal(parsed.html?.trim(), '<p>HELLO world</p>')
  assert.equal(parsed.subject, 'x')
  assert.equal(parsed.to?.[0]?.address, 'b@c.test')
})

test('HTML in base64 and in other character sets is read', async () => {
  const body = Buffer.from([0x3c, 0x70, 0x3e, ...Buffer.from('hello '), 0x8f, 0xf0, 0xe8]).toString('base64')
  const source = message(
    'Content-Type: text/html; charset=koi8-r',
    'content-transfer-encoding: BASE64',
    '',
    body.slice(0, 8),
    body.slice(8),
  )
  const { html } = await PostalMime.parse(rewriteHtml(source, shout))
  assert.equal(html?.trim(), '<p>HELLO world ▐ПХ'.replace('▐', new TextDecoder('koi8-r').decode(Buffer.from([0x8f]))))
})

test('a message that is unchanged, without HTML, signed or unreadable stays the same octet for octet', () => {
  const sealed = Buffer.from(nested.toString('latin1').replace('multipart/mixed', 'multipart/signed'), 'latin1')
  const unknown = message('Content-Type: text/html; charset=x-nobody', '', 'hello')
  const text = message('Content-Type: text/plain', '', 'hello')
  for (const source of [sealed, unknown, text, Buffer.alloc(0)]) assert.equal(rewriteHtml(source, shout), source)
  assert.equal(
    rewriteHtml(nested, (html) => html),
    nested,
  )
})

test('a message with hostile nesting or countless boundaries is left unchanged quickly', () => {
  let deep = ''
  for (let depth = 0; depth < 5000; depth++)
    deep += `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`
  const wide = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`
  for (const source of [deep, wide].map((text) => Buffer.from(text))) assert.equal(rewriteHtml(source, shout), source)
})
