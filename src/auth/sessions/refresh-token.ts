import { createHash, randomBytes } from 'node:crypto'
import { uuidOfHex } from '../../platform/ids.ts'
import type { Keyring } from '../../platform/keyring.ts'

const dayMs = 24 * 3_600_000
/** Decided: refresh tokens live 30 days, each rotation anew. */
const refreshMs = 30 * dayMs
/** However often it is refreshed: then the person logs in again. */
const loginMs = 90 * dayMs

/** When a token that is issued now ends, of a login that began at `loginAt`. */
export function refreshTokenEnd(loginAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + refreshMs, loginAt.getTime() + loginMs))
}

/** A token this server issued: whose family it is of, and what is stored of it. */
export type RefreshToken = { text: string; familyId: string; hash: Buffer }

const prefix = 'phr_'
const familyBytes = 16
const secretBytes = 32
const sealBytes = 16

/** The first token of a family, with 256 random bits. */
export function firstRefreshToken(keyring: Keyring, familyId: string): RefreshToken {
  return sealed(keyring, familyId, randomBytes(secretBytes))
}

/**
 * The token that follows. Only this server can compute it, and it computes the same one again: two requests that race
 * with one token both get the same successor, so a family has one live token and a stolen one is always found out.
 */
export function nextRefreshToken(keyring: Keyring, { text, familyId }: RefreshToken): RefreshToken {
  return sealed(keyring, familyId, keyring.sign('refresh-token.next', text, secretBytes))
}

/** Null for anything this server did not issue: its seal is checked before the database is asked. */
export function readRefreshToken(keyring: Keyring, text: string): RefreshToken | null {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  if (bytes.length !== familyBytes + secretBytes + sealBytes || textOf(bytes) !== text) return null
  const seal = bytes.subarray(-sealBytes)
  if (!keyring.verify('refresh-token.seal', bytes.toString('hex', 0, familyBytes + secretBytes), seal)) return null
  return { text, familyId: uuidOf(bytes.subarray(0, familyBytes)), hash: hashOf(text) }
}

function sealed(keyring: Keyring, familyId: string, secret: Buffer): RefreshToken {
  const content = Buffer.concat([Buffer.from(familyId.replaceAll('-', ''), 'hex'), secret])
  const seal = keyring.sign('refresh-token.seal', content.toString('hex'), sealBytes)
  const text = textOf(Buffer.concat([content, seal]))
  return { text, familyId, hash: hashOf(text) }
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
