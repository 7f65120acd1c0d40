import type { IncomingMessage } from 'node:http'
import type Stripe from 'stripe'
import { inTime } from '../../../../platform/aws/call-once.ts'
import { type DomainError, providerFailed } from '../../../../platform/errors.ts'
import { agentOf } from '../../../../platform/names/agent.ts'
import type { Names } from '../../../../platform/names/names.ts'
import { refuseInsideTransaction } from '../../../../platform/transaction/inside.ts'

const usualTimeoutMs = 20_000

/** `apiBase` replaces Stripe's own address. `timeoutMs` limits a whole request. */
export type StripeAccount = { secretKey: string; apiBase: string | null; timeoutMs?: number }

/**
 * Creates the official client, loaded on first use. It retries only a request that failed on a closed keep-alive
 * connection, so a request may arrive twice.
 */
export function stripeClient(account: StripeAccount, names: Names): () => Promise<Stripe> {
  let made: Promise<Stripe> | undefined
  return () => {
    refuseInsideTransaction('A call to Stripe')
    made ??= makeClient(account, names)
    return made
  }
}

async function makeClient(account: StripeAccount, names: Names): Promise<Stripe> {
  const { secretKey, apiBase, timeoutMs = usualTimeoutMs } = account
  const { default: Client } = await import('stripe')
  const address = apiBase ? addressOf(apiBase) : null
  return new Client(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: inWholeTime(Client.createNodeHttpClient(agentOf(names, address?.protocol ?? 'https'))),
    ...address,
  })
}

/**
 * Bounds whole requests. The library's own bound is the time without a byte, so an answer that comes byte by byte would
 * never end.
 */
function inWholeTime(client: Stripe.HttpClient): Stripe.HttpClient {
  const make = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const signal = AbortSignal.timeout(request[7])
    const response = await inTime(signal, make(...request))
    const raw = response.getRawResponse() as IncomingMessage
    signal.addEventListener('abort', () => raw.complete || raw.destroy(new Error('The answer was not whole in time.')))
    return response
  }
  return client
}

function addressOf(base: string) {
  const { protocol, hostname, port } = new URL(base)
  const isSecure = protocol === 'https:'
  return { protocol: isSecure ? 'https' : 'http', host: hostname, port: Number(port) || (isSecure ? 443 : 80) } as const
}

/** Returns the refusal for an error of Stripe or of the connection to it. It never contains the key. */
export function stripeFailure(error: unknown): DomainError {
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
