import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each user of a machine has a file of their own, because its mode forbids others to read it. */
const kept = join(tmpdir(), `posthorn-test-dkim-${process.getuid?.() ?? 'user'}.json`)

/** Returns an RSA key pair that all test processes share, since making one costs a tenth of a second. */
export function testDkimKeys(): { publicKey: string; privateKey: string } {
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'))
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const keys = { publicKey: publicKey.toString('base64'), privateKey }
  const draft = `${kept}.${process.pid}`
  writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 })
  renameSync(draft, kept)
  return keys
}
