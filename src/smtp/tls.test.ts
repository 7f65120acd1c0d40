import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect } from 'node:tls'
import { createTestApp } from '../../test/app.ts'
import { readConfig } from '../config.ts'
import { selfSigned } from './self-signed.ts'
import { submissionDoors } from './submission/doors.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-tls-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function fingerprint(port: number, ca?: string): Promise<string> {
  const trust = ca ? { ca, servername: 'mail.shop.test' } : { rejectUnauthorized: false }
  const socket = connect({ port, host: '127.0.0.1', ...trust })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return createHash('sha256').update(raw).digest('hex')
}

const { app } = await createTestApp()

/** Opens the ports as a process with this environment does, and returns their numbers by name. */
async function openWith(environment: Record<string, string>): Promise<Record<string, number>> {
  const common = { SMTP_PORT: '0', SMTPS_PORT: '0', DATA_DIR: folder, PUBLIC_URL: 'https://mail.shop.test' }
  const config = readConfig({ TRIAL: 'on', ...common, ...environment })
  const ports: Record<string, number> = {}
  for (const { name, open } of submissionDoors) {
    const door = await open({ ...app, config })
    if (!door) continue
    ports[name] = door.port
    after(() => door.close(0))
  }
  return ports
}

test('a certificate is created if none is configured, is readable only by its owner, and is kept across starts', async () => {
  const pem = () => readFileSync(join(folder, 'smtp-tls.pem'), 'utf8')
  const first = await openWith({})
  const print = await fingerprint(first.smtps!, pem())
  const certificate = new X509Certificate(pem())
  assert.equal(certificate.checkHost('mail.shop.test'), 'mail.shop.test')
  assert(certificate.verify(certificate.publicKey))
  assert.equal(statSync(join(folder, 'smtp-tls.pem')).mode & 0o777, 0o600)
  const second = await openWith({})
  assert.equal(await fingerprint(second.smtps!), print)
})

test('the operator’s certificate is used, and the start fails with the variable’s name if it cannot be used', async () => {
  const [pem, other] = [selfSigned(['mail.shop.test']), selfSigned(['other.test'])]
  const [key, cert] = [pem.slice(0, pem.indexOf('-----BEGIN CERT')), pem.slice(pem.indexOf('-----BEGIN CERT'))]
  const good = { SMTP_TLS_CERT: file('cert.pem', cert), SMTP_TLS_KEY: file('key.pem', key) }
  const ports = await openWith(good)
  assert.equal(await fingerprint(ports.smtps!), createHash('sha256').update(new X509Certificate(pem).raw).digest('hex'))
  const cases: [Record<string, string>, RegExp][] = [
    [{ SMTP_TLS_CERT: good.SMTP_TLS_CERT }, /^SMTP_TLS_KEY must be a PEM file, with SMTP_TLS_CERT; it was not set\.$/],
    [{ SMTP_TLS_KEY: good.SMTP_TLS_KEY }, /^SMTP_TLS_CERT must be a PEM file, with SMTP_TLS_KEY; it was not set\.$/],
    [
      { ...good, SMTP_TLS_CERT: join(folder, 'none') },
      /^SMTP_TLS_CERT must be a file this process can read \(ENOENT\)/,
    ],
    [{ ...good, SMTP_TLS_CERT: file('junk.pem', 'junk') }, /^SMTP_TLS_CERT must be a PEM file with a certificate/],
    [{ ...good, SMTP_TLS_KEY: file('junk.pem', 'junk') }, /^SMTP_TLS_KEY must be a PEM file with a private key/],
    [{ ...good, SMTP_TLS_KEY: file('other.pem', other) }, /^SMTP_TLS_KEY must be the key of the certificate/],
  ]
  for (const [environment, message] of cases) await assert.rejects(openWith(environment), { message })
})

test('a changed certificate is used from the next connection on, and a broken one is ignored', async () => {
  const halves = (pem: string) => [
    pem.slice(0, pem.indexOf('-----BEGIN CERT')),
    pem.slice(pem.indexOf('-----BEGIN CERT')),
  ]
  const printOf = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex')
  const [before, after] = [selfSigned(['mail.shop.test']), selfSigned(['mail.shop.test', 'new.test'])]
  const write = ([key, cert]: string[]) => {
    return { SMTP_TLS_CERT: file('renewed-cert.pem', cert!), SMTP_TLS_KEY: file('renewed-key.pem', key!) }
  }
  const ports = await openWith(write(halves(before)))
  assert.equal(await fingerprint(ports.smtps!), printOf(before))
  file('renewed-cert.pem', halves(after)[1]!)
  assert.equal(await fingerprint(ports.smtps!), printOf(before), 'its key is still the old one')
  write(halves(after))
  assert.equal(await fingerprint(ports.smtps!), printOf(after))
})

test('the start fails with the variable’s name if a port is in use, and a port that is off is not opened', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await assert.rejects(openWith({ SMTPS_PORT: String(port) }), {
    message: /^SMTPS_PORT must be off, or free on 127\.0\.0\.1/,
  })
  taken.close()
  assert.deepEqual(Object.keys(await openWith({ SMTP_PORT: 'off' })), ['smtps'])
})
