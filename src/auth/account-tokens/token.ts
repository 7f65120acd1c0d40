import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as they stand in a link. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Tokens are long and random, so one SHA-256 is enough: there is nothing to guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
