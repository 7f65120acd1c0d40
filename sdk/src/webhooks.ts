import type { WebhookEvent } from './api.ts'

export type { WebhookEvent } from './api.ts'

export type VerificationFailure = 'missing_header' | 'stale' | 'bad_signature' | 'not_json'

export class WebhookVerificationError extends Error {
  readonly reason: VerificationFailure
  constructor(reason: VerificationFailure, message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}

/** `Headers` of any class, or headers by name. */
type GivenHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>

/**
 * Returns the event of a delivery whose signature is right. `body` is the body as it came, before it is parsed. Of
 * several secrets one must fit, as after a rotation; empty ones are skipped. Throws `WebhookVerificationError`, and a
 * `TypeError` if no secret is left.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secret: string | undefined | (string | undefined)[],
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const secrets = [secret].flat().filter((each): each is string => typeof each === 'string' && each !== '')
  if (secrets.length === 0) throw new TypeError('Give the signing secret of the webhook, whsec_…; it was empty.')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('stale', `webhook-timestamp is more than ${toleranceSeconds} s away from now.`)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${timestamp}.${text}`)
  const fits = await Promise.all(secrets.map((each) => isSignedBy(each, signed, signatures)))
  if (!fits.includes(true)) throw new WebhookVerificationError('bad_signature', 'No signature fits the secret.')
  try {
    return JSON.parse(text)
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is not JSON.')
  }
}

function headerOf(headers: GivenHeaders, name: string): string {
  const given = isReadByGet(headers) ? headers.get(name) : byName(headers, name)
  if (!given) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
  return given
}

function isReadByGet(headers: GivenHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function'
}

function byName(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}

/** WebCrypto compares in constant time. */
async function isSignedBy(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string[]): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
  const checks = signatures.map((each) => {
    const bytes = each.startsWith('v1,') ? bytesOf(each.slice(3)) : null
    return bytes ? crypto.subtle.verify('HMAC', key, bytes, signed) : false
  })
  return (await Promise.all(checks)).includes(true)
}

/** Null if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
