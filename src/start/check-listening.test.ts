import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startServer } from '../../test/server-process.ts'
import { slowTest } from '../../test/slow.ts'
import { readConfig } from '../config.ts'
import { selfSigned } from '../smtp/self-signed.ts'
import { checkListening } from './check-listening.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-listening-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const free = { PORT: '0', SMTP_PORT: '0', SMTPS_PORT: '0', TRIAL: 'on' }
const check = (environment: Record<string, string>) => checkListening(readConfig({ ...free, ...environment }))

async function takePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

const taken = await takePort()

/** Environments that stop a start, and the line that says why. */
const refused: [environment: Record<string, string>, line: string][] = [
  ...['SMTP_PORT', 'SMTPS_PORT', 'INBOUND_SMTP_PORT'].map((name): [Record<string, string>, string] => [
    { [name]: taken },
    `${name} must be off, or free on 127.0.0.1; something listens there already; it was "${taken}".`,
  ]),
  [{ PORT: taken }, `PORT must be free on 127.0.0.1; something listens there already; it was "${taken}".`],
  [{ PORT: '4000', SMTP_PORT: '4000' }, 'SMTP_PORT must be off, or another port than PORT; it was "4000".'],
  [
    { SMTPS_PORT: '4000', INBOUND_SMTP_PORT: '4000' },
    'INBOUND_SMTP_PORT must be off, or another port than SMTPS_PORT; it was "4000".',
  ],
  [{ HOST: '192.0.2.1' }, 'HOST must be an address of this machine; it was "192.0.2.1".'],
  [{ SMTP_LISTEN: '192.0.2.1' }, 'SMTP_LISTEN must be an address of this machine; it was "192.0.2.1".'],
  [
    { SMTP_LISTEN: '127.0.0.1', HOST: '0.0.0.0', INBOUND_SMTP_PORT: taken },
    `INBOUND_SMTP_PORT must be off, or free on 127.0.0.1; something listens there already; it was "${taken}".`,
  ],
  [
    { SMTP_TLS_CERT: '/nowhere.pem', SMTP_TLS_KEY: '/nowhere.pem' },
    'SMTP_TLS_CERT must be a file this process can read (ENOENT); it was "/nowhere.pem".',
  ],
]

test('a port in use, one port for two servers, a strange address and a bad certificate are refused by their setting', async () => {
  for (const [environment, message] of refused) await assert.rejects(check(environment), { message })
})

test('an address that is none is refused when the settings are read', () => {
  for (const HOST of ['999.1.1.1', '127.0.0', '[::1]', '0.0.0.0:3000', 'http://localhost', 'a b']) {
    assert.throws(
      () => readConfig({ HOST }),
      /^Error: HOST must be an IP address of this machine, or its name; it was /,
    )
  }
  for (const HOST of ['::', '::1', '0.0.0.0', 'localhost', 'mail-1.example.com', '127.0.0.2'])
    readConfig({ HOST, TRIAL: 'on' })
})

test('ports and certificates that this process does not use are not looked at', async () => {
  const unused = { SMTP_TLS_CERT: '/nowhere.pem', SMTP_TLS_KEY: '/nowhere.pem', SMTPS_PORT: taken, SMTP_PORT: taken }
  await check({ ...unused, ROLES: 'api,worker' })
  await check({ SMTP_PORT: 'off', SMTPS_PORT: 'off', INBOUND_SMTP_PORT: 'off' })
  const pem = file('good.pem', selfSigned(['mail.shop.test']))
  await check({ SMTP_TLS_CERT: pem, SMTP_TLS_KEY: pem })
})

slowTest('such a start makes no folder, no database and no secret, and ends with one line', async () => {
  for (const [environment, line] of [refused[1]!, refused.at(-1)!]) {
    const DATA_DIR = join(folder, 'data')
    await assert.rejects(startServer({ DATA_DIR, ...free, ...environment }), (error: Error) => {
      assert.equal(error.message, `ended with 1 before it was ready:\n${line}\n`)
      return true
    })
    assert.ok(!existsSync(DATA_DIR))
  }
})
