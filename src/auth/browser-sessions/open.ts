import type { App, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { DomainError, unauthenticated } from '../../platform/errors.ts'
import type { Profile } from '../../teams/queries.ts'
import { spendToken } from '../account-tokens/queries.ts'
import { generateToken, hashToken } from '../account-tokens/token.ts'
import { endLogin } from '../sessions/end.ts'
import { openLogin } from '../sessions/open.ts'
import type { Login } from '../sessions/queries.ts'
import { spendRefreshToken } from '../sessions/spend.ts'
import { replaceToken } from '../sessions/used-tokens.ts'
import { rememberKnown } from './known-cookies.ts'
import { findLoginOfCookie, updateLoginCookie } from './queries.ts'

/** One of the two is given. */
type Opening = { refreshToken?: string; startToken?: string; clientAddress: string; previous: string | null }

type BrowserSession = { profile: Profile; token: string }

/**
 * Turns a login, or the link of a first start, into a browser session, and uses its token up. The value of the cookie
 * is always new; the session of a cookie that the browser had before ends. Throws `unauthenticated` for a token that is
 * unknown, used or expired.
 */
export async function openBrowserSession(app: App, { previous, ...opening }: Opening): Promise<BrowserSession> {
  const token = generateToken()
  // Returned, not thrown, because the end of a login whose token was used twice must be committed.
  const outcome = await app.transaction(async (tx) => {
    const opened = await openedLogin(tx, app, opening)
    if (opened instanceof DomainError) return opened
    await setCookie(tx, opened, token)
    await endPrevious(tx, previous)
    return opened.profile
  })
  if (outcome instanceof DomainError) throw outcome
  rememberKnown(app, hashToken(token))
  return { profile: outcome, token }
}

type Opened = { profile: Profile; login: Pick<Login, 'loginId' | 'tokenHash' | 'uses' | 'createdAt'> }

async function openedLogin(
  tx: Tx,
  app: App,
  { refreshToken, startToken = '', clientAddress }: Omit<Opening, 'previous'>,
): Promise<Opened | DomainError> {
  if (refreshToken !== undefined) return spendRefreshToken(tx, app, refreshToken)
  const spent = await spendToken(tx, 'browser_start', hashToken(startToken))
  if (!spent) return unauthenticated('This link was already used, has expired or does not exist. Sign in.')
  const { profile, token } = await openLogin(tx, app, spent.userId, clientAddress, { isFirst: true })
  return { profile, login: { loginId: token.loginId, tokenHash: token.hash, uses: [], createdAt: tx.now } }
}

async function setCookie(tx: Tx, { login }: Opened, token: string): Promise<void> {
  const { address, userAgent = null } = currentActor()
  // No token has this hash.
  const spent = { hash: hashToken(generateToken()) }
  const change = replaceToken(login, spent, tx.now)
  await updateLoginCookie(tx, { ...change, cookieHash: hashToken(token), address, userAgent })
}

async function endPrevious(tx: Tx, previous: string | null): Promise<void> {
  const loginId = previous === null ? undefined : await findLoginOfCookie(tx.db, hashToken(previous))
  if (loginId !== undefined) await endLogin(tx, loginId, { isByUser: true })
}
