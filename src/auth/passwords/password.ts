import { hash, verify } from '@node-rs/argon2'
import { createGate } from './hashing-gate.ts'

/** Argon2id as OWASP's least: 19 MiB, two passes, one lane. The library's number for Argon2id is 2. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/**
 * Two hashes of some 20 ms run side by side: the pool of libuv has four threads, and files and names need some as well.
 * Sixty-four waiting make less than a second; all of them together hold 40 MB.
 */
const gate = createGate({ runningMax: 2, waitingMax: 64 })

/** Of no password at all; what a login of an unknown account is measured against, so that it takes as long as any. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$cG9zdGhvcm4tbm9ib2R5cw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Throws `unavailable` when too many wait already. */
export function hashPassword(password: string): Promise<string> {
  return gate(() => hash(plain(password), cost))
}

/** Does the same work for an account that does not exist or has no password (null), and says false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await gate(() => verify(passwordHash ?? nobodysHash, plain(password)))
  return passwordHash !== null && matches
}

/** One text however a keyboard composes it (NIST SP 800-63B, section 3.1.1.2). */
function plain(password: string): string {
  return password.normalize('NFKC')
}
