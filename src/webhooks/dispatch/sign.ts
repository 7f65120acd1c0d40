import { createHmac, type KeyObject } from 'node:crypto'

/**
 * Returns the headers that identify a delivery and sign its body. `timestamp` is that of the attempt, in Unix seconds.
 * The signature header has one signature for each key, separated by spaces.
 */
export function signedHeaders(keys: KeyObject[], id: string, timestamp: number, body: string): Record<string, string> {
  const sign = (key: KeyObject) => `v1,${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('base64')}`
  const signatures = keys.map(sign).join(' ')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures }
}
