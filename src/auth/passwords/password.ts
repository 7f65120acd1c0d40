import { hash, verify } from '@node-rs/argon2'
import type { App } from '../../context.ts'
import { unavailable } from '../../platform/errors.ts'
import { createSemaphore } from '../../platform/limits/semaphore.ts'

declare module '../../context.ts' {
  interface App {
    passwordCost: PasswordCost
  }
}

/** The cost of a hash: memory in KiB, and passes over it. */
type PasswordCost = { memoryCost: number; timeCost: number }

/** OWASP's minimum for Argon2id with one lane: 19 MiB, two passes. */
export const usualPasswordCost: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2 }
/** The library's number for Argon2id. */
const argon2id = 2

/**
 * Two hashes of about 20 ms run at once, because files and DNS share libuv's four threads. 64 that wait take less than
 * a second, and all together hold 40 MB.
 */
const hashing = createSemaphore({ runningMax: 2, waitingMax: 64 })

/**
 * Returns a hash that no password matches. The login of an unknown account is checked against it, so that it takes the
 * usual time.
 */
export function unmatchedHash({ memoryCost, timeCost }: PasswordCost): string {
  const parameters = `m=${memoryCost},t=${timeCost},p=1`
  return `$argon2id$v=19$${parameters}$cG9zdGhvcm4tbm9ib2R5cw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
}

/** Hashes a password with Argon2id. Throws `unavailable` if too many requests wait. */
export function hashPassword({ passwordCost }: Pick<App, 'passwordCost'>, password: string): Promise<string> {
  const options = { algorithm: argon2id, parallelism: 1, ...passwordCost }
  return hashing.run(() => hash(plain(password), options), tooMany)
}

/** Checks a password. For an account without one (null) it does the same work and returns false. */
export async function verifyPassword(
  { passwordCost }: Pick<App, 'passwordCost'>,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const matches = await hashing.run(() => verify(passwordHash ?? unmatchedHash(passwordCost), plain(password)), tooMany)
  return passwordHash !== null && matches
}

function tooMany() {
  return unavailable('Too many sign-ins are in progress. Try again shortly.', 1)
}

/**
 * Normalizes a password, so that every keyboard's form of a character is the same (NIST SP 800-63B, section 3.1.1.2).
 */
function plain(password: string): string {
  return password.normalize('NFKC')
}
