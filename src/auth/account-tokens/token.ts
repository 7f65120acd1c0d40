import { createHash, randomBytes } from 'node:crypto'

/** Generates a token of 256 random bits, in base64url. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a token with one SHA-256, which is enough for a value of 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
