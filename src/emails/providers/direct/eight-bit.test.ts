import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { createWorld } from './fixtures/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-direct-'))
after(() => rmSync(dataDir, { recursive: true }))
const world = await createWorld({ SMTP_PORT: '0', SMTPS_PORT: '0', DATA_DIR: dataDir })
const { smtps } = await world.posthorn.openDoors()
const sender = await world.sender()

test('a host that offers SMTPUTF8 gets the domain of a recipient as punycode, without the parameter', async () => {
  const hello = '250-mx\r\n250-SMTPUTF8\r\n250-8BITMIME\r\n250 PIPELINING\r\n'
  const host = await world.script('127.0.0.7', (verb) => (verb === 'EHLO' ? hello : undefined))
  world.domainAt('xn--bcher-kva.test', '127.0.0.7')
  const { id } = await sender.deliver('Ada <ada@bücher.test>')
  assert.equal((await sender.email(id)).status, 'delivered')
  const [mail, recipient] = ['MAIL', 'RCPT'].map((verb) => host.commands.find((line) => line.startsWith(verb)))
  assert.doesNotMatch(mail!, /SMTPUTF8/)
  assert.equal(recipient, 'RCPT TO:<ada@xn--bcher-kva.test>')
})

test('each host gets 8-bit text only if it offers 8BITMIME, as a relay does', async () => {
  const hello = '250-mx\r\n250-8BITMIME\r\n250 PIPELINING\r\n'
  const old = await world.script('127.0.0.5')
  const modern = await world.script('127.0.0.6', (verb) => (verb === 'EHLO' ? hello : undefined))
  world.domainAt('old.test', '127.0.0.5')
  world.domainAt('modern.test', '127.0.0.6')
  const auth = { user: sender.team.key, pass: sender.team.key }
  const transport = nodemailer.createTransport({ port: smtps!, secure: true, auth, tls: { rejectUnauthorized: false } })
  const head = `From: hello@${sender.domain}\r\nTo: a@old.test, b@modern.test\r\nSubject: Größe\r\nMIME-Version: 1.0\r\n`
  const raw = `${head}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGrüße\r\n`
  const envelope = { from: `hello@${sender.domain}`, to: ['a@old.test', 'b@modern.test'] }
  await transport.sendMail({ envelope, raw })
  transport.close()
  await world.runDueJobs()
  const [seven, eight] = [old.texts[0]!, modern.texts[0]!]
  assert.deepEqual([isAscii(seven), isAscii(eight)], [true, false])
  for (const text of [seven, eight]) {
    const parsed = await PostalMime.parse(text)
    assert.deepEqual([parsed.subject, parsed.text?.trim()], ['Größe', 'Grüße'])
  }
  assert.match(modern.commands.find((line) => line.startsWith('MAIL'))!, / BODY=8BITMIME$/)
})
