import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { smtpProvider } from '../../emails/providers/smtp.ts'
import { startScriptedServer } from '../../emails/smtp-client/fixtures/scripted-server.ts'
import { startSubmission } from './fixtures/start.ts'

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
