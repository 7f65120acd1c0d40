import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { smtpProvider } from '../../emails/providers/smtp.ts'
import { startScriptedServer } from '../../emails/smtp-client/fixtures/scripted-server.ts'
import { startSubmission } from './fixtures/start.ts'

/** Submits messages to an installation whose relay offers neither 8BITMIME nor SMTPUTF8. */
async function sevenBitRelay() {
  const relay = await startScriptedServer()
  after(() => relay[Symbol.asyncDispose]())
  const emailProvider = smtpProvider({ url: `smtp://127.0.0.1:${relay.port}`, localName: 'posthorn.test' })
  const { posthorn, smtps } = await startSubmission({}, { emailProvider })
  const { key, domain } = await posthorn.team()
  const auth = { user: key, pass: key }
  const transport = nodemailer.createTransport({ port: smtps, secure: true, auth, tls: { rejectUnauthorized: false } })
  after(() => transport.close())
  /** Returns the text that the relay got. */
  return async (...lines: string[]) => {
    const head = [`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0']
    const envelope = { from: `hello@${domain}`, to: 'ada@example.com' }
    await transport.sendMail({ envelope, raw: [...head, ...lines, ''].join('\r\n') })
    return relay.texts.at(-1)!
  }
}

test('an encoded part that holds 8-bit text reads the same behind a relay without 8BITMIME', async () => {
  const submit = await sevenBitRelay()
  const type = 'Content-Type: text/plain; charset=utf-8'
  const quoted = await submit(type, 'Content-Transfer-Encoding: quoted-printable', '', 'Gr=C3=BC=C3=9Fe aus K=', 'öln')
  assert(isAscii(quoted))
  assert.equal((await PostalMime.parse(quoted)).text?.trim(), 'Grüße aus Köln')
  const base64 = await submit(type, 'Content-Transfer-Encoding: base64', '', btoa('Hello'), 'ö')
  assert(isAscii(base64))
  assert.equal((await PostalMime.parse(base64)).text?.trim(), 'Hello')
})

test('the messages of a digest stay as they are behind a relay without 8BITMIME', async () => {
  const submit = await sevenBitRelay()
  const inner = ['From: ada@b.example', 'Subject: One', '', 'Grüße']
  const parts = ['--b', '', ...inner, '--b', 'Content-Type: text/plain; charset=utf-8', '', 'Grüße', '--b--']
  const sent = await submit('Content-Type: multipart/digest; boundary=b', '', ...parts)
  const text = sent.toString('utf8')
  assert(text.includes(['--b', '', ...inner, '--b'].join('\r\n')))
  assert(text.includes('Gr=C3=BC=C3=9Fe'))
})

test('a relay without 8BITMIME gets an 8-bit message as quoted-printable, with a signature that verifies', async () => {
  const relay = await startScriptedServer()
  after(() => relay[Symbol.asyncDispose]())
  const emailProvider = smtpProvider({ url: `smtp://127.0.0.1:${relay.port}`, localName: 'posthorn.test' })
  const { posthorn, smtps } = await startSubmission({}, { emailProvider })
  const { key, domain } = await posthorn.team()
  const raw = [
    ...[`From: hello@${domain}`, 'To: ada@example.com', 'Subject: Hello', 'MIME-Version: 1.0'],
    ...['Content-Type: multipart/mixed; boundary="b"', 'Content-Transfer-Encoding: 8bit', '', '--b'],
    ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße', '--b'],
    ...['Content-Type: text/plain; charset=iso-8859-1; name=a.txt', 'Content-Disposition: attachment', ''],
  ].join('\r\n')
  const latin = Buffer.from('\r\nH\xe4user\r\n--b--\r\n', 'latin1')
  const transport = nodemailer.createTransport({
    ...{
      host: '127.0.0.1',
      port: smtps,
      secure: true,
      tls: { rejectUnauthorized: false },
      auth: { user: key, pass: key },
    },
  })
  const envelope = { from: `hello@${domain}`, to: 'ada@example.com' }
  await transport.sendMail({ envelope, raw: Buffer.concat([Buffer.from(raw), latin]) })
  transport.close()
  const [text] = relay.texts
  assert(isAscii(text!), 'it has 8-bit octets')
  const parsed = await PostalMime.parse(text!)
  assert.equal(parsed.text?.trim(), 'Grüße')
  assert.equal(
    Buffer.from(parsed.attachments[0]!.content as ArrayBuffer)
      .toString('latin1')
      .trim(),
    'Häuser',
  )
  const { publicKey } = await posthorn.app.generateDkimKeys()
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey}`]]
  const { results } = await dkimVerify(text!, { resolver })
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  )
})
