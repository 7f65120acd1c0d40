import * as client from 'openid-client'
import type { App } from '../../context.ts'
import { fetchOf } from '../../platform/names/agent.ts'
import type { Names } from '../../platform/names/names.ts'
import { perApp } from '../../platform/per-app.ts'
import { isLoopbackHttp, type OauthProvider } from '../oauth-providers.ts'

/** The limit of each request to the provider (discovery, exchange, user info), because a person is waiting. */
const timeoutSeconds = 10
/** How long a discovery document is kept: a moved endpoint is noticed within the hour. */
const keepMs = 3_600_000
/** The difference between the clocks of issuer and server that is accepted. */
const toleranceSeconds = 30

type Found = { configurations: Promise<client.Configuration[]>; at: number }

/** By provider; operators configure a handful. */
const foundOf = perApp(() => new Map<OauthProvider, Found>())

/**
 * Fetches the issuer's discovery document. Returns one configuration for each way to present the client secret, the
 * likelier first. Concurrent requests share one fetch, and a failure is not kept.
 */
export function discoverProvider(app: App, provider: OauthProvider): Promise<client.Configuration[]> {
  const now = app.clock.now().getTime()
  const found = foundOf(app)
  const known = found.get(provider)
  if (known && now - known.at < keepMs) return known.configurations
  const configurations = discover(provider, app.names)
  found.set(provider, { configurations, at: now })
  configurations.catch(() => found.delete(provider))
  return configurations
}

async function discover(
  { issuer, clientId, clientSecret }: OauthProvider,
  names: Names,
): Promise<client.Configuration[]> {
  const url = new URL(issuer)
  const execute = isLoopbackHttp(url) ? [client.allowInsecureRequests] : []
  const fetch = fetchOf(names)
  const options = { timeout: timeoutSeconds, execute, [client.customFetch]: fetch }
  const first = await client.discovery(url, clientId, undefined, undefined, options)
  const metadata = first.serverMetadata()
  return waysOf(metadata.token_endpoint_auth_methods_supported).map((way) => {
    const secrets = { client_secret: clientSecret, [client.clockTolerance]: toleranceSeconds }
    const configuration = new client.Configuration(metadata, clientId, secrets, way(clientSecret))
    configuration.timeout = timeoutSeconds
    configuration[client.customFetch] = fetch
    client.enableNonRepudiationChecks(configuration)
    for (const apply of execute) apply(configuration)
    return configuration
  })
}

/**
 * Lists the ways to present the client secret. Basic is the default (RFC 8414, section 2); the document does not say
 * which one this client is registered for.
 */
function waysOf(supported: string[] = ['client_secret_basic']): ((secret: string) => client.ClientAuth)[] {
  const ways = []
  if (supported.includes('client_secret_basic')) ways.push(client.ClientSecretBasic)
  if (supported.includes('client_secret_post')) ways.push(client.ClientSecretPost)
  return ways.length > 0 ? ways : [client.ClientSecretBasic]
}
