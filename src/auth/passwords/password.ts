import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../../platform/errors.ts'
import { createSemaphore } from '../../platform/limits/semaphore.ts'

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. Algorithm 2 is Argon2id in the library. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/**
 * Two hashes of about 20 ms run at once, because files and DNS share libuv's four threads. 64 that wait take less than a
 * second, and all together hold 40 MB.
 */
const hashing = createSemaphore({ runningMax: 2, waitingMax: 64 })

/** A hash that no password matches. An unknown account is checked against it, so that its login takes as long as any. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$cG9zdGhvcm4tbm9ib2R5cw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Hashes a password with Argon2id. Throws `unavailable` if too many requests wait. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(plain(password), cost), tooMany)
}

/** Checks a password. For an account without one (null) it does the same work and returns false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await hashing.run(() => verify(passwordHash ?? nobodysHash, plain(password)), tooMany)
  return passwordHash !== null && matches
}

function tooMany() {
  return unavailable('Too many people are signing in at this moment. Try again shortly.', 1)
}

/** Normalizes a password, so that every keyboard's form of a character is the same (NIST SP 800-63B, section 3.1.1.2). */
function plain(password: string): string {
  return password.normalize('NFKC')
}
