import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 5 * 60

/**
 * Returns true if a request is Posthorn's and fresh. `payload` is the body as it arrived, bytes or text, not parsed and
 * written again. `headers` are by name in lower case, as Node has them. `secret` is the webhook's whole signing secret.
 */
export function verify(payload, headers, secret) {
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  const given = Buffer.from(String(headers['webhook-signature'] ?? ''))
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(payload)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
