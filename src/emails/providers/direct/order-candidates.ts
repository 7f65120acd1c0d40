import type { Candidate } from './find-hosts.ts'

/**
 * The candidates of each preference in the order of this turn. Hosts wanted equally take turns to be first, which spreads
 * the load over them as RFC 5321 (5.1) wants it.
 */
export function orderCandidates(groups: readonly Candidate[][][], turn: number): Candidate[][] {
  return groups.map((hosts) => {
    const first = turn % hosts.length
    return [...hosts.slice(first), ...hosts.slice(0, first)].flat()
  })
}
