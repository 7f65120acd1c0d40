import { createHmac, type KeyObject } from 'node:crypto'
import type { SigningKey } from '../signing-secret.ts'
import type { SignatureScheme } from '../table.ts'

type Signed = { id: string; timestamp: number; body: string; scheme: SignatureScheme }

/**
 * Returns the headers that identify a delivery and sign its body. `timestamp` is that of the attempt, in Unix seconds.
 * `keys` has the newest first. The `svix-` headers follow Standard Webhooks (`id.timestamp.body`), and so do the others
 * with the scheme `standard`: they have one signature for each key, separated by spaces. The own signature is made with
 * the newest key alone, because receivers compare that header as a whole.
 */
export function signedHeaders(keys: SigningKey[], { id, timestamp, body, scheme }: Signed): Record<string, string> {
  const own = signatureOf(keys[0]!.own, `${timestamp}.${body}`)
  const standard = keys.map((key) => signatureOf(key.standard, `${id}.${timestamp}.${body}`)).join(' ')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': scheme === 'standard' ? standard : own,
    'svix-id': id,
    'svix-timestamp': String(timestamp),
    'svix-signature': standard,
  }
}

function signatureOf(key: KeyObject, text: string): string {
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}
