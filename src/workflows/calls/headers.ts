import { causeHeader, writeCause } from '../../platform/cause/header.ts'
import { modeOf } from '../../platform/mode/mode.ts'
import type { Turn } from '../nodes/node.ts'

/** Headers of the connection, which are set when a request is sent or have no meaning here. */
const managed = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'te', 'trailer', 'expect'],
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade'],
])

const nameMax = 200

/** Checks the form of a header's name (RFC 9110, 5.1). Returns null if it is valid. */
export function headerNameFault(name: string): string | null {
  if (name === '') return 'must be the name of a header'
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > nameMax) return 'is not a header name'
  return managed.has(name.toLowerCase()) ? 'is set by the platform and cannot be given' : null
}

/** Checks the value of a header (RFC 9110, 5.5), which can hold Latin-1 only. Returns null if it is valid. */
export function headerValueFault(value: string): string | null {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return 'must be one line of Latin-1 characters, without line breaks and other control characters'
  }
  return null
}

/** Joins lists of headers. Later headers replace earlier ones of the same name, in any case. */
export function joinHeaders(...lists: Record<string, string>[]): Record<string, string> {
  const byName = new Map(lists.flatMap(Object.entries).map((header) => [header[0].toLowerCase(), header]))
  return Object.fromEntries(byName.values())
}

/**
 * Says in test mode that nothing is meant, and names the calling execution to our own API, so that executions that the
 * call starts belong to its chain. Sent to every host, since a request may reach us by another name or through another
 * server. Other hosts learn no more from it than from the Idempotency-Key.
 */
export function causeHeaders({ app, teamId, executionId, depth }: Turn): Record<string, string> {
  const mode = modeOf(teamId)
  const cause = { [causeHeader]: writeCause(app.keyring, { executionId, depth, mode }) }
  return mode === 'test' ? { ...cause, 'Posthorn-Mode': mode } : cause
}
