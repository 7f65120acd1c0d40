import { hash } from 'node:crypto'
import * as client from 'openid-client'
import type { App } from '../../../context.ts'
import { providerFailed } from '../../../platform/errors.ts'
import type { OauthProvider } from '../../oauth-providers.ts'
import { discoverProvider } from '../discover.ts'
import type { Begun } from './begun.ts'
import { redirectUri } from './redirect-uri.ts'

/**
 * Returns the provider's page on which a sign-in goes on. Throws `providerFailed` if the provider cannot be reached.
 */
export async function authorizationUrl(app: App, configured: OauthProvider, begun: Begun): Promise<string> {
  const { provider, state, nonce, codeVerifier } = begun
  try {
    const [configuration] = await discoverProvider(app, configured)
    const parameters = {
      ...{ redirect_uri: redirectUri(app, provider), scope: 'openid email profile', state, nonce },
      ...{ code_challenge: hash('sha256', codeVerifier, 'base64url'), code_challenge_method: 'S256' },
    }
    return client.buildAuthorizationUrl(configuration!, parameters).href
  } catch (error) {
    app.log.warn({ issuer: configured.issuer, reason: (error as Error).message }, 'sign-in provider failed')
    throw providerFailed('The sign-in provider could not be reached. Try again, or sign in another way.')
  }
}
