import type Stripe from 'stripe'
import type { Config } from '../../../../config.ts'
import { type DomainError, providerFailed } from '../../../../platform/errors.ts'
import { refuseInsideTransaction } from '../../../../platform/inside.ts'
import { agentOf } from '../../../../platform/names/agent.ts'
import type { Names } from '../../../../platform/names/names.ts'

const timeoutMs = 20_000

/**
 * The official client, loaded when it is first used. It repeats nothing by itself but what meets a kept connection that
 * Stripe has closed; each of our requests may arrive twice.
 */
export function stripeClient(config: Config, names: Names): () => Promise<Stripe> {
  let made: Promise<Stripe> | undefined
  return () => {
    refuseInsideTransaction('A call to Stripe')
    made ??= makeClient(config, names)
    return made
  }
}

async function makeClient({ stripeSecretKey, stripeApiBase }: Config, names: Names): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const address = stripeApiBase ? addressOf(stripeApiBase) : null
  return new Client(stripeSecretKey!, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: Client.createNodeHttpClient(agentOf(names, address?.protocol ?? 'https')),
    ...address,
  })
}

function addressOf(base: string) {
  const { protocol, hostname, port } = new URL(base)
  const isSecure = protocol === 'https:'
  return { protocol: isSecure ? 'https' : 'http', host: hostname, port: Number(port) || (isSecure ? 443 : 80) } as const
}

/** What Stripe, or the way to it, did in place of an answer. The key it refused is not repeated. */
export function failureOf(error: unknown): DomainError {
  const { type, message } = error as { type?: string; message?: string }
  if (type === 'StripeConnectionError') return providerFailed('Stripe cannot be reached. Repeat the request shortly.')
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') {
    return providerFailed('Stripe does not accept the key in STRIPE_SECRET_KEY. Tell the operator.')
  }
  if (type === 'StripeRateLimitError')
    return providerFailed('Stripe takes no more requests for now. Repeat the request shortly.')
  if (type?.startsWith('Stripe')) return providerFailed(`Stripe refused: ${message}`)
  throw error
}
