import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import PostalMime from 'postal-mime'
import { relayOffering } from './fixtures/relay.ts'

function headOf(domain: string): string[] {
  return [`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0']
}

test('an encoded part that holds 8-bit text reads the same behind a relay without 8BITMIME', async () => {
  const { domain, submit } = await relayOffering()
  const type = 'Content-Type: text/plain; charset=utf-8'
  const readAs = async (...part: string[]) => {
    const { text } = await submit([...headOf(domain), type, ...part, ''])
    assert(isAscii(text))
    return (await PostalMime.parse(text)).text?.trim()
  }
  const quoted = ['Content-Transfer-Encoding: quoted-printable', '', 'Gr=C3=BC=C3=9Fe aus K=', 'öln']
  assert.equal(await readAs(...quoted), 'Grüße aus Köln')
  assert.equal(await readAs('Content-Transfer-Encoding: base64', '', btoa('Hello'), 'ö'), 'Hello')
})

test('the messages of a digest stay as they are behind a relay without 8BITMIME', async () => {
  const { domain, submit } = await relayOffering()
  const inner = ['From: ada@b.example', 'Subject: One', '', 'Grüße']
  const parts = ['--b', '', ...inner, '--b', 'Content-Type: text/plain; charset=utf-8', '', 'Grüße', '--b--']
  const sent = await submit([...headOf(domain), 'Content-Type: multipart/digest; boundary=b', '', ...parts, ''])
  const text = sent.text.toString('utf8')
  assert(text.includes(['--b', '', ...inner, '--b'].join('\r\n')))
  assert(text.includes('Gr=C3=BC=C3=9Fe'))
})

test('a relay without 8BITMIME gets an 8-bit message as quoted-printable, with a signature that verifies', async () => {
  const { posthorn, domain, submit } = await relayOffering()
  const raw = [
    ...headOf(domain),
    ...['Content-Type: multipart/mixed; boundary="b"', 'Content-Transfer-Encoding: 8bit', '', '--b'],
    ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße', '--b'],
    ...['Content-Type: text/plain; charset=iso-8859-1; name=a.txt', 'Content-Disposition: attachment', ''],
  ].join('\r\n')
  const latin = Buffer.from('\r\nH\xe4user\r\n--b--\r\n', 'latin1')
  const { text } = await submit(Buffer.concat([Buffer.from(raw), latin]))
  assert(isAscii(text), 'it has 8-bit octets')
  const parsed = await PostalMime.parse(text)
  assert.equal(parsed.text?.trim(), 'Grüße')
  assert.equal(
    Buffer.from(parsed.attachments[0]!.content as ArrayBuffer)
      .toString('latin1')
      .trim(),
    'Häuser',
  )
  const { publicKey } = await posthorn.app.generateDkimKeys()
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey}`]]
  const { results } = await dkimVerify(text, { resolver })
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  )
})
