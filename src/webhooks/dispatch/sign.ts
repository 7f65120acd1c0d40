import { createHmac, type KeyObject } from 'node:crypto'

/** The headers that let a receiver know the delivery and verify the body; `timestamp` is the attempt's, in Unix seconds. */
export function signedHeaders(key: KeyObject, id: string, timestamp: number, body: string): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
