import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 5 * 60

/**
 * Whether a request is Posthorn's and fresh. `payload`: the body as it came, bytes or text, never parsed and written
 * again. `headers`: by name in lower case, as Node gives them. `secret`: the webhook's whole signing secret.
 */
export function verify(payload, headers, secret) {
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  // Two of them, separated by a blank, for 24 hours after the secret was changed.
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(payload)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  return signatures.some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
