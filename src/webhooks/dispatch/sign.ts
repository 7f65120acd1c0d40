import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The headers that let a receiver know the delivery and verify the body; `timestamp` is the attempt's, in Unix seconds. One
 * signature a key, separated by blanks.
 */
export function signedHeaders(keys: KeyObject[], id: string, timestamp: number, body: string): Record<string, string> {
  const sign = (key: KeyObject) => `v1,${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('base64')}`
  const signatures = keys.map(sign).join(' ')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures }
}
