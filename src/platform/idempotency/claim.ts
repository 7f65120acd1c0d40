import type { Tx } from '../../context.ts'
import { type Claim, identityOf, insertRequestKeys, type RequestKey } from './keys.ts'

type KeyClaim = Claim & { key: RequestKey | null }

/**
 * Claims the keys of many requests in one unit of work. Returns the requests whose key was claimed before, in this
 * transaction or an earlier one; they wait for the first request's answer.
 */
export async function claimRequestKeys<R extends KeyClaim>(tx: Tx, requests: R[]): Promise<Set<R>> {
  const first = new Map<string, R>()
  const known = new Set<R>()
  for (const request of requests) {
    if (!request.key) continue
    const identity = identityOf(request.key)
    if (first.has(identity)) known.add(request)
    else first.set(identity, request)
  }
  const rows = [...first.values()].map(({ key, resourceIds, more }) => ({ ...key!, resourceIds, more }))
  const added = await insertRequestKeys(tx, rows)
  for (const [identity, request] of first) if (!added.has(identity)) known.add(request)
  return known
}
