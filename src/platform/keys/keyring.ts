import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { KeySource } from '../sealed/key-source.ts'
import { sealLink, unsealLink } from '../sealed/link.ts'
import { headOf, open, seal } from '../sealed/seal.ts'

/**
 * Signs and encrypts with keys that are derived from APP_SECRET, one for each purpose. The newest secret signs and
 * encrypts; the secrets of APP_SECRET_PREVIOUS also verify and decrypt.
 */
export type Keyring = {
  /** The newest HMAC-SHA256 key of a purpose. */
  key(purpose: string): KeyObject
  /** The keys that may have made a signature, the newest first. */
  keys(purpose: string): KeyObject[]
  sign(purpose: string, text: string, lengthBytes?: number): Buffer
  /** The signature by each key, the newest first, for values that are found by their signature. */
  signatures(purpose: string, text: string, lengthBytes?: number): Buffer[]
  verify(purpose: string, text: string, signature: Buffer): boolean
  /** AES-256-GCM. The value opens only for the same purpose and row. `row` is the id of the row that keeps it. */
  encrypt(purpose: string, text: string, row: string): string
  /** Throws if no secret opens the value, or if it belongs to another purpose or row. */
  decrypt(purpose: string, sealed: string, row: string): string
  /** Encrypts the content of a link. The result is compact, and the same for the same content. */
  sealLink(purpose: string, content: Buffer): Buffer
  /** Decrypts the content of a link. Null for a value that `sealLink` did not make for this purpose. */
  unsealLink(purpose: string, sealed: Buffer): Buffer | null
  /** The beginning of every value that the newest secret encrypted. */
  newestHead: string
  /** The keyring of each single secret of APP_SECRET_PREVIOUS, in its order. */
  previous: readonly Keyring[]
}

/** Keys that are not derived from the present secrets, by purpose: see `stored-keys/`. */
type StoredKeys = ReadonlyMap<string, Buffer>

/** Makes the keyring of APP_SECRET and its predecessors, the newest first. */
export function createKeyring(secrets: string | readonly string[], stored: StoredKeys = new Map()): Keyring {
  const all = typeof secrets === 'string' ? [secrets] : secrets
  const sources = all.map((secret) => keySource(secret))
  const storedKeys = new Map([...stored].map(([purpose, bytes]) => [`sign:${purpose}`, createSecretKey(bytes)]))
  const keys = (purpose: string) => {
    const fixed = storedKeys.get(purpose)
    return fixed ? [fixed] : sources.map((source) => source.key(purpose))
  }
  const signatures = (purpose: string, text: string, lengthBytes = 32) =>
    keys(`sign:${purpose}`).map((key) => createHmac('sha256', key).update(text).digest().subarray(0, lengthBytes))
  const [newest] = sources
  if (!newest) throw new Error('A keyring needs a secret.')
  return {
    key: (purpose) => keys(purpose)[0]!,
    keys,
    sign: (purpose, text, lengthBytes) => signatures(purpose, text, lengthBytes)[0]!,
    signatures,
    verify: (purpose, text, signature) =>
      signature.length >= 16 &&
      signatures(purpose, text, signature.length).some((expected) => timingSafeEqual(expected, signature)),
    encrypt: (purpose, text, row) => seal(newest, { purpose, row }, text),
    decrypt: (purpose, sealed, row) => open(sources, { purpose, row }, sealed),
    sealLink: (purpose, content) => sealLink(newest, purpose, content),
    unsealLink: (purpose, sealed) => unsealLink(sources, purpose, sealed),
    newestHead: headOf(newest),
    previous: all.length > 1 ? all.slice(1).map((secret) => createKeyring(secret, stored)) : [],
  }
}

const idBytes = 6

function keySource(secret: string): KeySource {
  const known = new Map<string, KeyObject>()
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'posthorn', purpose, bytes))
  const key = (purpose: string): KeyObject => {
    const found = known.get(purpose)
    if (found) return found
    const made = createSecretKey(derive(purpose, 32))
    known.set(purpose, made)
    return made
  }
  return { id: derive('key-id', idBytes).toString('base64url'), key }
}
