import * as client from 'openid-client'
import type { App } from '../../context.ts'
import { DomainError, providerFailed, unauthenticated } from '../../platform/errors.ts'
import { cleanName } from '../../platform/text/name.ts'
import type { OauthProvider } from '../oauth-providers.ts'
import { discoverProvider } from './discover.ts'

export type OauthCode = { code: string; redirectUri: string; codeVerifier: string; nonce?: string }

/** The user as the provider describes them. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/**
 * Exchanges the code for the user's identity. Throws `unauthenticated` if the provider refuses the code or its token
 * fails the checks, and `providerFailed` if it cannot be reached or refuses this server's registration.
 */
export async function exchangeCode(app: App, provider: OauthProvider, code: OauthCode): Promise<Identity> {
  const note = (error: unknown) =>
    app.log.warn({ issuer: provider.issuer, reason: reasonOf(error) }, 'sign-in provider failed')
  const configurations = await discoverProvider(app, provider).catch((error) => {
    note(error)
    throw unreached()
  })
  try {
    return await askEachWay(configurations, code)
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (isRefusedCode(error)) throw refusedCode()
    note(error)
    throw isBadToken(error) ? refusedToken(error) : unreached()
  }
}

function unreached() {
  return providerFailed('The sign-in provider could not be reached. Try again, or sign in another way.')
}

/**
 * Tries each way to present the secret. A refused way leaves the code valid; the way that works is tried first from
 * then on.
 */
async function askEachWay(configurations: client.Configuration[], code: OauthCode): Promise<Identity> {
  for (const [index, configuration] of configurations.entries()) {
    try {
      const identity = await ask(configuration, code)
      if (index > 0) configurations.unshift(...configurations.splice(index, 1))
      return identity
    } catch (error) {
      if (!isRefusedClient(error) || index === configurations.length - 1) throw error
    }
  }
  throw new Error('The provider supports no way of client authentication that this server can use.')
}

function isRefusedClient(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return error.status === 401
  return error instanceof client.ResponseBodyError && error.error === 'invalid_client'
}

/**
 * Reads the claims of the ID token, whose signature is checked against the keys that the issuer publishes (OpenID
 * Connect Core, 3.1.3.7). The library keeps these keys for five minutes, and fetches them for an unknown key id at most
 * once a minute.
 */
async function ask(
  configuration: client.Configuration,
  { code, redirectUri, codeVerifier, nonce }: OauthCode,
): Promise<Identity> {
  const parameters = { code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const tokens = await client.genericGrantRequest(configuration, 'authorization_code', parameters)
  const claims = tokens.claims()
  if (!claims) throw noToken()
  // OpenID Connect Core, 3.1.3.7, step 11: the token must belong to the sign-in that the client began.
  if (nonce !== undefined && claims.nonce !== nonce) throw refusedNonce()
  // Most providers return profile claims only from the user info endpoint.
  const complete = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint
  const profile = complete ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const { email, email_verified: verified, name } = profile
  if (!isSubject(claims.sub)) throw refusedToken(new Error('its subject is not text of 1 to 255 characters'))
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    // OpenID Connect Core, 5.1, says a boolean; Apple and Amazon Cognito send a text.
    emailVerified: verified === true || verified === 'true',
    // Cleaned, not refused: the person cannot change it here.
    name: typeof name === 'string' ? cleanName(name, 100) : null,
  }
}

/** OpenID Connect Core, section 2, allows 255 characters. An empty subject would be that of every person. */
function isSubject(subject: string): boolean {
  return subject.length >= 1 && subject.length <= 255 && !subject.includes('\0') && subject.isWellFormed()
}

/**
 * Tells whether an error of RFC 6749, section 5.2, concerns the code. The others concern this server's registration.
 */
function isRefusedCode(error: unknown): boolean {
  return error instanceof client.ResponseBodyError && ['invalid_grant', 'invalid_request'].includes(error.error)
}

/** The codes of checks of a token: its key, its times, its other claims, and the user info of another subject. */
const tokenChecks = [
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]
/** Codes that also concern other parts of an answer, or the published keys. */
const faultyAnswer = ['OAUTH_INVALID_RESPONSE', 'OAUTH_PARSE_ERROR', 'OAUTH_UNSUPPORTED_OPERATION']

/** Tells whether an ID token fails its checks (OpenID Connect Core, 3.1.3.7), as opposed to an answer that has none. */
function isBadToken(error: unknown): boolean {
  if (!(error instanceof client.ClientError)) return false
  if (tokenChecks.includes(error.code ?? '')) return true
  return faultyAnswer.includes(error.code ?? '') && /\bJW[STE]\b|ID Token|"id_token"/.test(reasonOf(error))
}

function refusedToken(error: unknown) {
  const { message, cause } = error as Error
  // Only the innermost cause may quote the token.
  const reason = cause instanceof Error ? cause.message : message
  return unauthenticated(
    `The sign-in provider answered with a token that fails its checks: ${reason}. Start the sign-in again; if that does not help, tell the operator.`,
  )
}

function noToken() {
  return unauthenticated('The sign-in provider answered without an ID token. Ask it for the scopes "openid email".')
}

function refusedCode() {
  return unauthenticated(
    'The sign-in provider refused this code: it was used, has expired, or was issued for another redirectUri or codeVerifier.',
  )
}

function refusedNonce() {
  return unauthenticated('The sign-in provider answered for another nonce than this one. Start the sign-in again.')
}

/** Describes an error for the log, without the response, which may hold tokens. */
function reasonOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError) return error.error
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
