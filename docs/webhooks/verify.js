import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 5 * 60

/**
 * Returns true if a request is Posthorn's and fresh. `payload` is the body as it arrived, bytes or text, not parsed and
 * written again. `headers` are by name in lower case, as Node has them. `secret` is the webhook's whole signing secret.
 */
export function verify(payload, headers, secret) {
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  // There are two, separated by a blank, for 24 hours after the secret was rotated.
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
