import type { Candidate } from './find-hosts.ts'

/**
 * Orders the candidates of each preference for this turn. Hosts of equal preference take turns to be first, which
 * spreads the load over them as RFC 5321 (5.1) requires.
 */
export function orderCandidates(groups: readonly Candidate[][][], turn: number): Candidate[][] {
  return groups.map((hosts) => {
    const first = turn % hosts.length
    return [...hosts.slice(first), ...hosts.slice(0, first)].flat()
  })
}
