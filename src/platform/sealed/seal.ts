import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { KeySource } from './key-source.ts'

/**
 * The place of a value. Both parts are authenticated, so a value that is copied elsewhere cannot be decrypted there.
 */
type Place = { purpose: string; row: string }

/** The secret that encrypted a value is neither APP_SECRET nor one of APP_SECRET_PREVIOUS. */
export class SecretUnknown extends Error {
  constructor() {
    super('The value was encrypted with a secret that is not known here.')
  }
}

/** `v2.<secret's id>.<iv>.<tag>.<ciphertext>`, the parts in base64url. */
export function seal(source: KeySource, place: Place, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(source, place), iv).setAAD(boundTo(place))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return headOf(source) + [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url')).join('.')
}

/** Returns the beginning of every value that this secret encrypted. */
export function headOf(source: KeySource): string {
  return `v2.${source.id}.`
}

/** The beginning of every value of version 1, which any known secret may have encrypted. */
export const headOfVersion1 = 'v1.'

/**
 * Decrypts `v2` with the secret that it names. Tries every secret for `v1`, which names none and is bound only to its
 * purpose. Throws if no secret fits.
 */
export function open(sources: readonly KeySource[], place: Place, sealed: string): string {
  const [version, ...parts] = sealed.split('.')
  if (version === 'v1') return openFirst(sources, place, parts)
  const [id, ...rest] = parts
  if (version !== 'v2') throw new Error('Not a value this version encrypted.')
  const source = sources.find((known) => known.id === id)
  if (!source) throw new SecretUnknown()
  return decipher(keyOf(source, place), boundTo(place), rest)
}

function openFirst(sources: readonly KeySource[], place: Place, parts: string[]): string {
  let failure: unknown
  for (const source of sources) {
    try {
      return decipher(keyOf(source, place), Buffer.from(place.purpose), parts)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function decipher(key: KeyObject, bound: Buffer, parts: string[]): string {
  const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (!iv || !body || tag?.length !== 16) throw new Error('Not a value this version encrypted.')
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(bound).setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

function keyOf(source: KeySource, { purpose }: Place): KeyObject {
  return source.key(`encrypt:${purpose}`)
}

function boundTo({ purpose, row }: Place): Buffer {
  return Buffer.from(`v2\n${purpose}\n${row}`)
}
