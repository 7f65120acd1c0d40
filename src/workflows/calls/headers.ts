import { causeHeader, writeCause } from '../../platform/cause/header.ts'
import type { Turn } from '../nodes/node.ts'

/** Headers of the connection: set when a request is sent, or without a meaning here. */
const managed = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'te', 'trailer', 'expect'],
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade'],
])

const nameMax = 200

/** RFC 9110 5.1. */
export function headerNameFault(name: string): string | null {
  if (name === '') return 'must be the name of a header'
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > nameMax) return 'is not a header name'
  return managed.has(name.toLowerCase()) ? 'is set by the platform and cannot be given' : null
}

/** RFC 9110 5.5. What is beyond Latin-1 has no form in a header. */
export function headerValueFault(value: string): string | null {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return 'must be one line of Latin-1 characters, without line breaks and other control characters'
  }
  return null
}

/** Later ones replace earlier ones, in whatever case they are written. */
export function joinHeaders(...lists: Record<string, string>[]): Record<string, string> {
  const byName = new Map(lists.flatMap(Object.entries).map((header) => [header[0].toLowerCase(), header]))
  return Object.fromEntries(byName.values())
}

/**
 * Lets our own API know the execution that calls it, so that what the call starts belongs to its chain. Sent to every host: a request
 * may reach us by another name, or through a server that passes headers on. Elsewhere it tells no more than the Idempotency-Key.
 */
export function causeHeaders({ app, executionId, depth }: Turn): Record<string, string> {
  return { [causeHeader]: writeCause(app.keyring, { executionId, depth }) }
}
