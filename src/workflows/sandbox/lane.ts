import { isSlow, type Pace, unknownPace } from './pace.ts'

/** A line of teams: whoever has used the least time in it is next. */
export type Lane = {
  name: 'brief' | 'slow'
  /** What the team whose turn it was last had used before it. */
  clockMs: number
}

export type Share = {
  /** Of each lane by itself, by its clock: what a team owes in one, it does not get rid of in the other. */
  usedMs: Record<Lane['name'], number>
  running: number
  pace: Pace
}

export function newShare(): Share {
  return { usedMs: { brief: 0, slow: 0 }, running: 0, pace: unknownPace() }
}

/** How far ahead of the others a team may get whose turn costs less than theirs: by some brief tasks. */
const leadMaxMs = 10

/**
 * One that is preferred, where it is not too far ahead. All are looked at: what waits are nodes with a place in this process,
 * and there are not many.
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

function mayRun({ pace, running }: Share, { name }: Lane): boolean {
  if (isSlow(pace)) return name === 'slow'
  // Nobody knows yet how long its tasks take: one thread is enough to find out.
  return name === 'brief' && (pace.isKnown || running === 0)
}

/** Gives what takes note of the time that the turn has taken. */
export function beginTurn(share: Share, lane: Lane): (ms: number) => void {
  const start = startMs(share, lane)
  share.usedMs[lane.name] = start
  // One that is preferred may be ahead of others that wait, and a newcomer must not begin behind them.
  lane.clockMs = Math.max(lane.clockMs, start - leadMaxMs)
  return (ms) => {
    share.usedMs[lane.name] += ms
  }
}

/** Who was away has saved nothing up. */
function startMs({ usedMs }: Share, { name, clockMs }: Lane): number {
  return Math.max(usedMs[name], clockMs)
}
