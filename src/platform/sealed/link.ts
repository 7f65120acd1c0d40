import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { KeySource } from './key-source.ts'

/** The length of the tag, which is also the initialisation vector. */
const tagBytes = 16

/**
 * Encrypts and authenticates: a tag, then the ciphertext. The tag is derived from the content and is the vector of the
 * cipher (a synthetic vector, as in RFC 5297). So the same content always gives the same bytes, and no vector is
 * stored.
 */
export function sealLink(source: KeySource, purpose: string, content: Buffer): Buffer {
  const tag = tagOf(source, purpose, content)
  const cipher = createCipheriv('aes-256-ctr', encryptionKey(source, purpose), tag)
  return Buffer.concat([tag, cipher.update(content), cipher.final()])
}

/** Returns the content, or null if `sealLink` did not make the value with one of these secrets. */
export function unsealLink(sources: readonly KeySource[], purpose: string, sealed: Buffer): Buffer | null {
  if (sealed.length < tagBytes) return null
  for (const source of sources) {
    const content = unsealWith(source, purpose, sealed)
    if (content) return content
  }
  return null
}

function unsealWith(source: KeySource, purpose: string, sealed: Buffer): Buffer | null {
  const tag = sealed.subarray(0, tagBytes)
  const decipher = createDecipheriv('aes-256-ctr', encryptionKey(source, purpose), tag)
  const content = Buffer.concat([decipher.update(sealed.subarray(tagBytes)), decipher.final()])
  return timingSafeEqual(tagOf(source, purpose, content), tag) ? content : null
}

function tagOf(source: KeySource, purpose: string, content: Buffer): Buffer {
  return createHmac('sha256', source.key(`seal-mac:${purpose}`))
    .update(content)
    .digest()
    .subarray(0, tagBytes)
}

function encryptionKey(source: KeySource, purpose: string) {
  return source.key(`seal:${purpose}`)
}
