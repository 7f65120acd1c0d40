import * as client from 'openid-client'
import type { App } from '../../context.ts'
import { fetchOf } from '../../platform/names/agent.ts'
import type { Names } from '../../platform/names/names.ts'
import { isLoopbackHttp, type OauthProvider } from '../oauth-providers.ts'

/** Each of discovery, exchange and user info; a person is waiting. */
const timeoutSeconds = 10
/** An issuer that moves an endpoint is noticed within the hour. */
const keepMs = 3_600_000
/** What the clocks of issuers and servers differ by. */
const toleranceSeconds = 30

type Found = { configurations: Promise<client.Configuration[]>; at: number }

/** One entry a configured provider: operators name a handful. */
const found = new WeakMap<OauthProvider, Found>()

/**
 * The issuer by its own description, once for each way this server may show its secret there, the likelier first.
 * Requests that come together ask once, and a failure is not kept.
 */
export function discoverProvider(app: App, provider: OauthProvider): Promise<client.Configuration[]> {
  const now = app.clock.now().getTime()
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
    for (const apply of execute) apply(configuration)
    return configuration
  })
}

/** Basic is what holds where nothing is said (RFC 8414, section 2). Which of two a client is registered for is not said at all. */
function waysOf(supported: string[] = ['client_secret_basic']): ((secret: string) => client.ClientAuth)[] {
  const ways = []
  if (supported.includes('client_secret_basic')) ways.push(client.ClientSecretBasic)
  if (supported.includes('client_secret_post')) ways.push(client.ClientSecretPost)
  return ways.length > 0 ? ways : [client.ClientSecretBasic]
}
