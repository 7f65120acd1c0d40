import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiledFolder } from './folders.ts'

const kept = join(compiledFolder, 'dkim-keys.json')

/** Returns an RSA key pair that all test processes share, since making one costs a tenth of a second. */
export function testDkimKeys(): { publicKey: string; privateKey: string } {
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'))
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const keys = { publicKey: publicKey.toString('base64'), privateKey }
  mkdirSync(compiledFolder, { recursive: true })
  const draft = `${kept}.${process.pid}`
  writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 })
  renameSync(draft, kept)
  return keys
}
