import type { Diagnosis } from '../../notification.ts'
import type { Candidate } from './find-hosts.ts'
import type { Server } from './server.ts'

export type Choice =
  /** `rest`: where to go on if that one fails. */
  | { kind: 'taken'; candidate: Candidate; server: Server; leave(): void; rest: Candidate[] }
  | { kind: 'wait'; until: number; because: Diagnosis | null }

/**
 * Takes a place at the most wanted server that may be asked. One that is down is passed over, as its owner's preferences
 * want it; one that is merely busy is waited for, unless another is wanted as much.
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
