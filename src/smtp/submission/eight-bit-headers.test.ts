import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import PostalMime, { decodeWords } from 'postal-mime'
import { relayOffering } from './fixtures/relay.ts'
import type { startSubmission } from './fixtures/start.ts'

const part = (file: string) => [
  ...['--b', `Content-Type: a/b; name="${file}"`, `Content-Disposition: attachment; filename="${file}"`],
  ...[`Content-Description: ${file}`, '', 'x'],
]

test('a relay without SMTPUTF8 gets header fields in ASCII, in the parts too, with a signature that verifies', async () => {
  const { posthorn, domain, relay, submit } = await relayOffering('8BITMIME')
  const { text, header } = await submit([
    `From: Jürgen Größe <hello@${domain}>`,
    'To: Ada Lövelace <ada@example.com>, "Bö, C" <bob@größe.example>, größe@example.com',
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= aus Köln',
    'References: <a@b.example> <ü@b.example>',
    'List-Unsubscribe: <https://größe.example/ab?x=ä>',
    `X-Long: ${'Größe '.repeat(40)}`,
    ...['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...['--b', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße'],
    ...part('größe.txt'),
    ...['--b--', ''],
  ])
  assert.doesNotMatch(relay.commands.join('\n'), /SMTPUTF8/)
  assert.deepEqual([...text].filter((octet) => octet > 0x7f).length, 'üß'.length * 2, 'only the body is beyond ASCII')
  assert.match(header, /From: =\?UTF-8\?[BQ]\?\S+\?= <hello@/)
  assert.ok(header.includes('<ada@example.com>, =?UTF-8?B?QsO2LCBD?= <bob@xn--gre-6ka8i.example>,'))
  assert.ok(header.includes('References: <a@b.example> <%C3%BC@b.example>'))
  assert.ok(header.includes('List-Unsubscribe: <https://xn--gre-6ka8i.example/ab?x=%C3%A4>'))
  const parsed = await PostalMime.parse(text)
  assert.deepEqual([parsed.subject, parsed.from?.name], ['Grüße aus Köln', 'Jürgen Größe'])
  assert.equal(decodeWords(parsed.headers.find(({ key }) => key === 'x-long')!.value), 'Größe '.repeat(40).trim())
  const [file] = parsed.attachments
  assert.deepEqual([file?.filename, file?.description], ['größe.txt', 'größe.txt'])
  await assertSigned(posthorn, text)
})

test('a relay with SMTPUTF8 gets header fields in UTF-8 as they came, and those of other character sets encoded', async () => {
  const { posthorn, domain, relay, submit } = await relayOffering('8BITMIME', 'SMTPUTF8')
  const lines = [
    `From: hello@${domain}`,
    'To: ada@example.com',
    'Subject: Größe',
    'Content-Type: text/plain; charset=iso-8859-15',
  ]
  const utf8 = await submit([...lines, '', 'x', ''])
  assert.ok(utf8.header.includes(Buffer.from('Subject: Größe').toString('latin1')))
  assert.match(relay.commands.join('\n'), /^MAIL .* SMTPUTF8$/m)
  await assertSigned(posthorn, utf8.text)
  const mixed = [...lines.slice(0, 2), 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '']
  const inPart = await submit([...mixed, ...part('größe.txt'), '--b--', ''])
  assert.ok(isAscii(inPart.text), 'a part alone needs no SMTPUTF8')
  const latin = await submit([...lines.slice(0, 2), 'Subject: Gr\xf6\xdfe \xa4', lines[3]!, '', 'x', ''], 'latin1')
  assert.equal((await PostalMime.parse(latin.text)).subject, 'Größe €')
  assert.ok(isAscii(latin.text))
})

test('a signed message keeps its signed parts, and a boundary beyond ASCII stays', async () => {
  const { domain, submit } = await relayOffering('8BITMIME')
  const signed = part('größe.txt').join('\r\n')
  const head = [`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Größe', 'MIME-Version: 1.0']
  const seal = 'Content-Type: multipart/signed; micalg=sha-256; protocol="application/pgp-signature"; boundary=b'
  const { text, header } = await submit([...head, seal, '', signed, '--b', 'Content-Type: a/b', '', 'x', '--b--', ''])
  assert.ok(text.includes(Buffer.from(signed)))
  assert.ok(isAscii(Buffer.from(header, 'latin1')))
  const type = 'Content-Type: multipart/mixed; boundary="bö"'
  const kept = await submit([...head, type, '', '--bö', '', 'x', '--bö--', ''])
  assert.ok(kept.text.includes(Buffer.from(type)))
})

test('a relay without 8BITMIME and SMTPUTF8 gets ASCII alone', async () => {
  const { posthorn, domain, submit } = await relayOffering()
  const lines = [`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Größe', 'MIME-Version: 1.0']
  const type = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße', '']
  const { text } = await submit([...lines, ...type])
  assert.ok(isAscii(text))
  const { subject, text: body } = await PostalMime.parse(text)
  assert.deepEqual([subject, body?.trim()], ['Größe', 'Grüße'])
  await assertSigned(posthorn, text)
})

test('control characters in header fields are left out, whatever the relay offers', async () => {
  for (const extensions of [[], ['8BITMIME', 'SMTPUTF8']]) {
    const { posthorn, domain, submit } = await relayOffering(...extensions)
    const { text, header } = await submit([
      ...[`From: hello@${domain}`, 'To: ada@example.com', 'Subject: He\x01llo', 'References: <a\x02@b.example>'],
      ...['Keywords: Gr\x7föße, \x85small', 'X-Kept: a\tb,', '\tc', 'MIME-Version: 1.0'],
      ...['Content-Type: text/plain; charset="utf-8\x1b"', '', 'One\x01', ''],
    ])
    assert.doesNotMatch(Buffer.from(header, 'latin1').toString(), /(?![\t\r\n])\p{Cc}/u)
    assert.ok(header.includes('\r\nSubject: Hello\r\nReferences: <a@b.example>\r\n'), header)
    assert.ok(header.includes('X-Kept: a\tb,\r\n\tc\r\n'), header)
    const { headers, text: body } = await PostalMime.parse(text)
    assert.equal(decodeWords(headers.find(({ key }) => key === 'keywords')!.value), 'Größe, small')
    assert.equal(body, 'One\x01\n')
    const raw = await submit([
      `From: hello@${domain}`,
      'To: ada@example.com',
      'Subject: \x1b$B$3$s\x1b(B!',
      '',
      'x',
      '',
    ])
    assert.equal((await PostalMime.parse(raw.text)).subject, 'こん!', 'ISO-2022-JP is read, not cut')
    await assertSigned(posthorn, text)
  }
})

test('a file name without its quotes stays whole', async () => {
  const { domain, submit } = await relayOffering('8BITMIME')
  const head = [`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0']
  const file = [
    'Content-Type: a/b; name=größte rechnung.pdf',
    'Content-Disposition: attachment; filename=größte rechnung.pdf ; size=1',
  ]
  const { text } = await submit([...head, ...file, '', 'x', ''])
  assert.equal((await PostalMime.parse(text)).attachments[0]?.filename, 'größte rechnung.pdf')
  assert.match(text.toString('latin1'), /name="=\?UTF-8\?.*filename\*=UTF-8''gr%C3%B6%C3%9Fte%20rechnung\.pdf;/s)
})

async function assertSigned(posthorn: Awaited<ReturnType<typeof startSubmission>>['posthorn'], text: Buffer) {
  const { publicKey } = await posthorn.app.generateDkimKeys()
  const { results } = await dkimVerify(text, { resolver: async () => [[`v=DKIM1; k=rsa; p=${publicKey}`]] })
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  )
}
