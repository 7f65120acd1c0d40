import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { slowTest } from '../../../test/slow.ts'
import { createKeyring } from './keyring.ts'
import { derivedSecret, generatedSecret } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'posthorn-secrets-'))
after(() => rmSync(folder, { recursive: true }))

const makers = 6

/**
 * Reads the secret of each name in concurrent processes that share a process id, as the first ones of containers do.
 */
const maker = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { module, folder, names, gate, makers } = workerData
  import(module).then(({ generatedSecret }) => {
    const secrets = names.map((name, round) => {
      Atomics.add(gate, 0, 1)
      while (Atomics.load(gate, 0) < makers * (round + 1));
      try {
        return generatedSecret(folder, name)
      } catch (error) {
        return error.message
      }
    })
    parentPort.postMessage(secrets)
  })
`

slowTest(
  'processes that start together on one folder get the same secret, also if their ids are the same',
  async () => {
    const names = Array.from({ length: 25 }, (_, n) => `n${n}`)
    const gate = new Int32Array(new SharedArrayBuffer(4))
    const workerData = { module: new URL('./secrets.ts', import.meta.url).href, folder, names, gate, makers }
    const made = await Promise.all(
      Array.from({ length: makers }, () => {
        const { promise, resolve, reject } = Promise.withResolvers<string[]>()
        new Worker(maker, { eval: true, workerData }).on('message', resolve).on('error', reject)
        return promise
      }),
    )
    for (const secrets of made) assert.deepEqual(secrets, made[0])
    for (const secret of made[0]!) assert.equal(secret.length, 43)
    assert.equal(readdirSync(folder).length, names.length)
  },
)

test('an empty file is not a secret', () => {
  writeFileSync(join(folder, 'cut.secret'), '\n')
  assert.throws(() => generatedSecret(folder, 'cut'), /cut\.secret is empty\. Restore it, or delete it/)
})

test('a secret derived from APP_SECRET is shown in the folder, and is the same if the folder cannot be written', () => {
  const keyring = createKeyring('a secret of tests, thirty-two bytes and more')
  const secret = derivedSecret(join(folder, 'new'), 'shown', keyring)
  const path = join(folder, 'new', 'shown.secret')
  assert.equal(readFileSync(path, 'utf8'), `${secret}\n`)
  writeFileSync(path, 'of another APP_SECRET\n')
  assert.equal(derivedSecret(join(folder, 'new'), 'shown', keyring), secret)
  assert.equal(readFileSync(path, 'utf8'), `${secret}\n`)
  assert.equal(derivedSecret('/proc/posthorn', 'shown', keyring), secret)
  assert.ok(!existsSync('/proc/posthorn'))
})
