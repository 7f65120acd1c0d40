import type { App, Tx } from '../../context.ts'
import { conflict, invalid, unauthenticated } from '../../platform/errors.ts'
import { findUserByEmail } from '../../teams/queries.ts'
import { createAccountUnlessTaken, usualTeamName } from '../create-account.ts'
import { openLogin, type Session, sessionOf } from '../sessions/open.ts'
import { refuseClosedSignup } from '../signup.ts'
import type { Identity, OauthCode } from './exchange-code.ts'
import { findUserIdOfIdentity, insertIdentity } from './queries.ts'

/**
 * Signs in with an authorization code of an OpenID provider. Whoever is new gets an account; a verified address joins
 * the account that has it. The provider's own sign-in stands for password and second factor. Throws `invalid` for an
 * unknown provider, `unauthenticated` for a refused code, `conflict` where an unverified address has an account.
 */
export async function signInWithProvider(
  app: App,
  { provider, ...code }: OauthCode & { provider: string },
): Promise<Session> {
  const configured = Object.hasOwn(app.config.oauthProviders, provider)
    ? app.config.oauthProviders[provider]
    : undefined
  if (!configured) throw invalid('provider', 'is not a sign-in provider of this server')
  // Loaded at its first use: most installations name no provider.
  const { exchangeCode } = await import('./exchange-code.ts')
  const identity = await exchangeCode(app, configured, code)
  const login = await app.transaction(async (tx) =>
    openLogin(tx, app, await findOrCreateUser(tx, app, provider, identity)),
  )
  return await sessionOf(app, login)
}

async function findOrCreateUser(tx: Tx, app: App, provider: string, identity: Identity): Promise<string> {
  const known = await findUserIdOfIdentity(tx.db, provider, identity.subject)
  if (known) return known
  const email = emailOf(identity)
  const userId = (await createUser(tx, app, email, identity)) ?? (await joinUser(tx, provider, email, identity))
  await insertIdentity(tx, { provider, subject: identity.subject, userId })
  return userId
}

/** Null where the address has an account. */
async function createUser(tx: Tx, app: App, email: string, { name }: Identity): Promise<string | null> {
  if (await findUserByEmail(tx.db, email)) return null
  refuseClosedSignup(app)
  const account = { email, name, passwordHash: null, teamName: usualTeamName(email, name) }
  const created = await createAccountUnlessTaken(tx, account)
  return created?.userId ?? null
}

async function joinUser(
  tx: Tx,
  provider: string,
  email: string,
  { subject, emailVerified }: Identity,
): Promise<string> {
  // Two first sign-ins of one person may race: the other one's account is theirs.
  const known = await findUserIdOfIdentity(tx.db, provider, subject)
  if (known) return known
  const user = await findUserByEmail(tx.db, email)
  if (user && emailVerified) return user.id
  throw conflict(
    'An account with this address exists, and the provider has not verified that the address is yours. Log in with the password.',
  )
}

/**
 * ASCII as at sign-up: beyond it, characters that only look alike become the same in lower case (the Kelvin sign a `k`),
 * and would join another person's account.
 */
function emailOf({ email }: Identity): string {
  if (email && email.length <= 254 && /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(email)) return email
  throw unauthenticated(
    'The sign-in provider gave no email address that can be used here. Ask it for the scopes "openid email".',
  )
}
