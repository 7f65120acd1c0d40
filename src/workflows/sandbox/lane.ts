import { type Durations, isSlow, unknownDurations } from './durations.ts'

/** A queue of teams: the team that has used the least time in it is next. */
export type Lane = {
  name: 'brief' | 'slow'
  /** The time that the last team had used before its turn. */
  clockMs: number
}

export type Share = {
  /** The time used, by lane. Time used in one lane does not count in the other. */
  usedMs: Record<Lane['name'], number>
  running: number
  durations: Durations
}

export function newShare(): Share {
  return { usedMs: { brief: 0, slow: 0 }, running: 0, durations: unknownDurations() }
}

/** How far a preferred team may get ahead of the others: a few brief tasks. */
const leadMaxMs = 10

/**
 * Finds the preferred team that used the least time, unless it is too far ahead; otherwise the first team. Looks at all
 * teams, which are few: only nodes that run in this process wait here.
 */
export function firstOf<S extends Share>(shares: Iterable<S>, lane: Lane, prefers: (share: S) => boolean) {
  let first: S | undefined
  let preferred: S | undefined
  for (const share of shares) {
    if (!mayRun(share, lane)) continue
    if (!first || startMs(share, lane) < startMs(first, lane)) first = share
    const isLess = !preferred || startMs(share, lane) < startMs(preferred, lane)
    if (isLess && prefers(share)) preferred = share
  }
  const isNear = first && preferred && startMs(preferred, lane) <= startMs(first, lane) + leadMaxMs
  return isNear ? preferred : first
}

function mayRun({ durations, running }: Share, { name }: Lane): boolean {
  if (isSlow(durations)) return name === 'slow'
  // One thread is enough to find out how long its tasks take.
  return name === 'brief' && (durations.isKnown || running === 0)
}

/** Begins a turn of a team. Returns the function that adds the time it took. */
export function beginTurn(share: Share, lane: Lane): (ms: number) => void {
  const start = startMs(share, lane)
  share.usedMs[lane.name] = start
  // A preferred team may be ahead of waiting teams, and a new team must not begin behind those.
  lane.clockMs = Math.max(lane.clockMs, start - leadMaxMs)
  return (ms) => {
    share.usedMs[lane.name] += ms
  }
}

/** The time at which a team's turn comes. A team without tasks saves up no time. */
function startMs({ usedMs }: Share, { name, clockMs }: Lane): number {
  return Math.max(usedMs[name], clockMs)
}
