import { rateLimited } from '../../platform/errors.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { nextRefreshToken, type RefreshToken, refreshTokenEnd } from './refresh-token.ts'

/** Requests with the same token within 10 s all succeed, because clients may refresh concurrently. */
const graceMs = 10_000
/** Bounds the row of a login. An honest client replaces its token once in some minutes. */
const usesMax = 100

/** A refresh token that another has replaced, and when. */
export type TokenUse = { hash: Buffer; at: Date }

type TokensOfLogin = { loginId: string; tokenHash: Buffer; uses: TokenUse[]; createdAt: Date }

export type TokenChange = { loginId: string; tokenHash: Buffer; uses: TokenUse[]; expiresAt: Date }

/**
 * Puts a token in the place of a login's present one, which is a used one from then on. Throws `limitExceeded` after a
 * hundred in ten seconds.
 */
export function replaceToken(login: TokensOfLogin, { hash }: Pick<RefreshToken, 'hash'>, now: Date): TokenChange {
  const recent = login.uses.filter(({ at }) => isRecent(at, now))
  if (recent.length >= usesMax) {
    throw rateLimited(
      'This login was refreshed or switched 100 times in 10 seconds. Wait, then try again.',
      graceMs / 1000,
    )
  }
  // Never before the use that precedes it, though the clocks of two processes differ: uses are forgotten oldest first.
  const at = new Date(Math.max(now.getTime(), recent.at(-1)?.at.getTime() ?? 0))
  const uses = [...recent, { hash: login.tokenHash, at }]
  return { loginId: login.loginId, tokenHash: hash, uses, expiresAt: refreshTokenEnd(login.createdAt, now) }
}

/** True if a token was first used, or replaced by a switch, in the last 10 s. */
export function wasUsedJustNow({ uses }: TokensOfLogin, { hash }: RefreshToken, now: Date): boolean {
  return uses.some((use) => use.hash.equals(hash) && isRecent(use.at, now))
}

/**
 * Computes the present token of a login from one that was used in the last seconds, since only hashes are stored. Null
 * if the present one does not descend from it: the login has become a browser session.
 */
export function presentToken(
  keyring: Keyring,
  { uses, tokenHash }: TokensOfLogin,
  used: RefreshToken,
): RefreshToken | null {
  const first = uses.findIndex(({ hash }) => hash.equals(used.hash))
  const later = [...uses.slice(first + 1).map(({ hash }) => hash), tokenHash]
  return later.reduce<RefreshToken | null>((token, hash) => token && successorWith(keyring, token, hash), used)
}

/** Finds the next token, which an older secret may have made. */
function successorWith(keyring: Keyring, token: RefreshToken, hash: Buffer): RefreshToken | null {
  const successors = [keyring, ...keyring.previous].map((ring) => nextRefreshToken(ring, token))
  return successors.find((successor) => successor.hash.equals(hash)) ?? null
}

function isRecent(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() <= graceMs
}
