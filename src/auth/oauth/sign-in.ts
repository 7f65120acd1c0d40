import type { App, Tx } from '../../context.ts'
import { conflict, type DomainError, invalid, unauthenticated } from '../../platform/errors.ts'
import { isAddress } from '../../platform/text/mail-address.ts'
import { findUserByEmail, updateProvenByProvider } from '../../teams/queries.ts'
import { createAccountUnlessTaken, usualTeamName } from '../create-account.ts'
import type { OauthProvider } from '../oauth-providers.ts'
import { refuseClosedSignup } from '../refuse-closed.ts'
import { type OpenedLogin, openLogin, type Session, sessionOf } from '../sessions/open.ts'
import { requestFirstVerification } from '../verification/request.ts'
import type { Identity, OauthCode } from './exchange-code.ts'
import { type Joining, join } from './join.ts'
import { finishJoin } from './pending.ts'
import { bindIdentities, insertIdentity, lockUserOfIdentity } from './queries.ts'

export type CodeRequest = OauthCode & { provider: string; twoFactorCode?: string }
export type PendingRequest = { pendingToken: string; twoFactorCode: string }

/**
 * Signs in with an authorization code of an OpenID provider, or finishes such a sign-in with the code of the second
 * factor, which each sign-in asks for. A new person gets an account. A provider is added to an existing account if both
 * have verified the address. Throws `invalid` for an unknown provider, `unauthenticated` for a refused code, `conflict`
 * if the address is not verified.
 */
export async function signInWithProvider(
  app: App,
  request: CodeRequest | PendingRequest,
  clientAddress: string,
): Promise<Session> {
  const outcome =
    'pendingToken' in request
      ? await finishJoin(app, { ...request, clientAddress })
      : await signInWithCode(app, request, clientAddress)
  if (outcome instanceof Error) throw outcome
  return await sessionOf(app, outcome)
}

async function signInWithCode(
  app: App,
  { provider, twoFactorCode, ...code }: CodeRequest,
  clientAddress: string,
): Promise<OpenedLogin | DomainError> {
  const configured = findProvider(app, provider)
  if (!configured) throw invalid('provider', 'is not a sign-in provider of this server')
  // Loaded at its first use, because most installations have no provider.
  const { exchangeCode } = await import('./exchange-code.ts')
  const identity = await exchangeCode(app, configured, code)
  return app.transaction((tx) => enter(tx, app, { provider, identity, twoFactorCode, clientAddress }))
}

export function findProvider(app: App, name: string): OauthProvider | undefined {
  return Object.hasOwn(app.config.oauthProviders, name) ? app.config.oauthProviders[name] : undefined
}

type Entry = Pick<Joining, 'provider' | 'twoFactorCode' | 'clientAddress'> & { identity: Identity }

async function enter(tx: Tx, app: App, { identity, ...entry }: Entry): Promise<OpenedLogin | DomainError> {
  const { provider } = entry
  const { issuer, subject } = identity
  await bindIdentities(tx, provider, issuer)
  const known = await lockUserOfIdentity(tx, identity)
  if (known) return reenter(tx, app, known, { identity, ...entry })
  const email = emailOf(identity)
  const created = await createUser(tx, app, email, { ...identity, clientAddress: entry.clientAddress })
  if (!created) return joinAccount(tx, app, email, { identity, ...entry })
  await insertIdentity(tx, { provider, issuer, subject, userId: created })
  return openLogin(tx, app, created, entry.clientAddress, { isFirst: true })
}

async function reenter(
  tx: Tx,
  app: App,
  userId: string,
  { identity, ...entry }: Entry,
): Promise<OpenedLogin | DomainError> {
  const { email, emailVerified, issuer, subject } = identity
  if (email && emailVerified) await updateProvenByProvider(tx, userId, email)
  return join(tx, app, { ...entry, userId, issuer, subject, isLinked: true })
}

/** Creates an account. Null if the address has one. */
async function createUser(
  tx: Tx,
  app: App,
  email: string,
  { name, emailVerified, clientAddress }: Identity & Pick<Entry, 'clientAddress'>,
): Promise<string | null> {
  if (await findUserByEmail(tx.db, email)) return null
  refuseClosedSignup(app)
  const account = { email, name, passwordHash: null, emailVerified, teamName: usualTeamName(email, name) }
  const created = await createAccountUnlessTaken(tx, account)
  if (created && !emailVerified) await requestFirstVerification(tx, app, created, clientAddress)
  return created?.userId ?? null
}

async function joinAccount(
  tx: Tx,
  app: App,
  email: string,
  { identity, ...entry }: Entry,
): Promise<OpenedLogin | DomainError> {
  // Another first sign-in of the same person may have created the account.
  const known = await lockUserOfIdentity(tx, identity)
  if (known) return reenter(tx, app, known, { identity, ...entry })
  const user = await findUserByEmail(tx.db, email)
  if (!user || !identity.emailVerified) {
    throw conflict(
      'An account with this address exists, and the provider has not verified that the address is yours. Log in with the password.',
    )
  }
  if (!user.emailVerifiedAt) {
    throw conflict(
      'An account with this address exists, and its address is not verified. Log in as before, or reset the password.',
    )
  }
  return join(tx, app, { ...entry, userId: user.id, issuer: identity.issuer, subject: identity.subject })
}

/**
 * Reads the address, which must be one to which mail goes, and ASCII, as at sign-up. Beyond ASCII, some characters that
 * look alike become the same in lower case (the Kelvin sign becomes `k`), which would match another person's account.
 */
function emailOf({ email }: Identity): string {
  if (email && email.length <= 254 && isAddress(email) && /^[\x21-\x7e]+$/.test(email)) return email
  throw unauthenticated('The sign-in provider returned no usable email address. Ask it for the scopes "openid email".')
}
