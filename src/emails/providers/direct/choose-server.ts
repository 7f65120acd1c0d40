import type { Diagnosis } from '../../notification.ts'
import type { Candidate } from './find-hosts.ts'
import type { Server } from './server.ts'

export type Choice =
  /** `rest`: the candidates to try if this one fails. */
  | { kind: 'taken'; candidate: Candidate; server: Server; leave(): void; rest: Candidate[] }
  | { kind: 'wait'; until: number; because: Diagnosis | null }

/**
 * Reserves a connection to the most preferred server that may be used. A server that is down is skipped in favour of
 * less preferred ones. A busy server is waited for, unless another of the same preference is free.
 */
export function chooseServer(groups: Candidate[][], serverAt: (address: string) => Server): Choice {
  const waits: { until: number; because: Diagnosis | null }[] = []
  for (const [index, group] of groups.entries()) {
    let full = false
    for (const [at, candidate] of group.entries()) {
      const server = serverAt(candidate.address)
      const place = server.takePlace()
      if (place.kind === 'taken') {
        const rest = [...group.slice(at + 1), ...groups.slice(index + 1).flat()]
        return { kind: 'taken', candidate, server, leave: place.leave, rest }
      }
      full ||= place.kind === 'full'
      waits.push({ until: place.until, because: place.kind === 'resting' ? place.because : null })
    }
    if (full) break
  }
  const busy = waits.filter(({ because }) => because === null)
  const soonest = (busy.length > 0 ? busy : waits).sort((left, right) => left.until - right.until)[0]!
  return { kind: 'wait', ...soonest }
}
