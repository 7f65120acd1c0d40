import { createHash, randomBytes } from 'node:crypto'
import { uuidOfHex } from '../../platform/ids.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'

const dayMs = 24 * 3_600_000
/** A refresh token expires after 30 days; each rotation starts them again. */
export const refreshMs = 30 * dayMs
/** A login ends after 90 days, however often it is refreshed. */
export const loginMs = 90 * dayMs

/** Returns when a token issued now expires, given when its login began. */
export function refreshTokenEnd(loginAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + refreshMs, loginAt.getTime() + loginMs))
}

export type RefreshToken = { text: string; loginId: string; hash: Buffer }

const prefix = 'phr_'
const loginIdBytes = 16
const secretBytes = 32
const sealBytes = 16

/** Generates the first token of a login from 256 random bits. */
export function firstRefreshToken(keyring: Keyring, loginId: string): RefreshToken {
  return sealed(keyring, loginId, randomBytes(secretBytes))
}

/**
 * Computes the token that follows, from the hash, which is all that is stored. The result is always the same, so two
 * concurrent requests with one token get the same successor. A login therefore has one live token, and the use of a
 * stolen one is always detected.
 */
export function nextRefreshToken(
  keyring: Keyring,
  { hash, loginId }: Pick<RefreshToken, 'hash' | 'loginId'>,
): RefreshToken {
  return sealed(keyring, loginId, keyring.sign('refresh-token.next', hash.toString('hex'), secretBytes))
}

/**
 * Parses a refresh token. Null if this server did not issue it: the signature is checked before the database is
 * queried.
 */
export function readRefreshToken(keyring: Keyring, text: string): RefreshToken | null {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  if (bytes.length !== loginIdBytes + secretBytes + sealBytes || textOf(bytes) !== text) return null
  const seal = bytes.subarray(-sealBytes)
  if (!keyring.verify('refresh-token.seal', bytes.toString('hex', 0, loginIdBytes + secretBytes), seal)) return null
  return { text, loginId: uuidOf(bytes.subarray(0, loginIdBytes)), hash: hashOf(text) }
}

function sealed(keyring: Keyring, loginId: string, secret: Buffer): RefreshToken {
  const content = Buffer.concat([Buffer.from(loginId.replaceAll('-', ''), 'hex'), secret])
  const seal = keyring.sign('refresh-token.seal', content.toString('hex'), sealBytes)
  const text = textOf(Buffer.concat([content, seal]))
  return { text, loginId, hash: hashOf(text) }
}

function textOf(bytes: Buffer): string {
  return prefix + bytes.toString('base64url')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function uuidOf(bytes: Buffer): string {
  return uuidOfHex(bytes.toString('hex'))
}
