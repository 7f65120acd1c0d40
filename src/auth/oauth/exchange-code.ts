import * as client from 'openid-client'
import type { App } from '../../context.ts'
import { DomainError, providerFailed, unauthenticated } from '../../platform/errors.ts'
import { cleanName } from '../../platform/name.ts'
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
 * Exchanges the code for the user's identity. Throws `unauthenticated` if the provider refuses the code, and
 * `providerFailed` if it cannot be reached or refuses this server's registration.
 */
export async function exchangeCode(app: App, provider: OauthProvider, code: OauthCode): Promise<Identity> {
  try {
    return await askEachWay(await discoverProvider(app, provider), code)
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (isRefusedCode(error)) throw refusedCode()
    app.log.warn({ issuer: provider.issuer, reason: reasonOf(error) }, 'sign-in provider failed')
    throw providerFailed('The sign-in provider could not be reached. Try again, or sign in another way.')
  }
}

/** Tries each way to present the secret. A refused way leaves the code valid; the way that works is tried first from then on. */
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

/** Reads the claims from the token endpoint. TLS to the issuer stands in for checking the signature (OpenID Connect Core, 3.1.3.7). */
async function ask(
  configuration: client.Configuration,
  { code, redirectUri, codeVerifier, nonce }: OauthCode,
): Promise<Identity> {
  const parameters = { code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const tokens = await client.genericGrantRequest(configuration, 'authorization_code', parameters)
  const claims = tokens.claims()
  if (!claims) throw new Error('The token response holds no ID token; was the scope "openid" asked for?')
  // OpenID Connect Core, 3.1.3.7, step 11: the token must belong to the sign-in that the client began.
  if (nonce !== undefined && claims.nonce !== nonce) throw refusedNonce()
  // Most providers return profile claims only from the user info endpoint.
  const complete = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint
  const profile = complete ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const { email, email_verified: verified, name } = profile
  if (claims.sub.includes('\0') || !claims.sub.isWellFormed()) throw new Error('The ID token has no subject.')
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    emailVerified: verified === true,
    // Cleaned, not refused: the person cannot change it here.
    name: typeof name === 'string' ? cleanName(name, 100) : null,
  }
}

/** Tells whether an error of RFC 6749, section 5.2, concerns the code. The others concern this server's registration. */
function isRefusedCode(error: unknown): boolean {
  return error instanceof client.ResponseBodyError && ['invalid_grant', 'invalid_request'].includes(error.error)
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
