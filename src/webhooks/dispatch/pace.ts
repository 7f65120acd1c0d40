import { type HostShare, hostHasRoom, leaveHost } from './host-share.ts'

/** Attempts side by side at one endpoint: few where it does not answer, so that a dead one costs little. */
export const windowMin = 4
export const windowMax = 50
/** An endpoint is slow from when no attempt has ended for so long, until one ends sooner. */
const slowAfterMs = 2000
/** Of this process at all quick endpoints together, and as many at all slow ones; past it, each endpoint has its least. */
const flyingMax = 1000
const windowLeast = 1

/** How one endpoint is tried. */
export type Pace = {
  /** A success widens it by one, so it doubles with each round; a failure halves it. */
  window: number
  flying: number
  isSlow: boolean
  /** When an attempt last ended soon, or one began after a rest. */
  livelyAt: number
  /** The team's endpoints at the same host; null until the URL is known. */
  host: { key: string; share: HostShare } | null
}

/** Slow endpoints have bounds of their own, so that they take nothing from the others. */
const endpoints = { slow: 0, quick: 0 }
const flying = { slow: 0, quick: 0 }
const laneOf = ({ isSlow }: Pace) => (isSlow ? 'slow' : 'quick')

export function beginPace(isSlow: boolean): Pace {
  const pace: Pace = { window: windowMin, flying: 0, isSlow, livelyAt: performance.now(), host: null }
  endpoints[laneOf(pace)]++
  return pace
}

/** With nothing under way any more. */
export function endPace(pace: Pace): void {
  endpoints[laneOf(pace)]--
  leaveHost(pace)
}

/** Slow ones that are worked at in this process. */
export function countSlow(): number {
  return endpoints.slow
}

/** Whether another attempt may begin now. */
export function hasRoom(pace: Pace): boolean {
  const isCrowded = flying[laneOf(pace)] >= flyingMax || !hostHasRoom(pace)
  return pace.flying < (isCrowded ? windowLeast : pace.window)
}

/** Counts an attempt for as long as it takes, and learns from it. */
export async function whileFlying<T extends { delivered: boolean }>(pace: Pace, attempt: () => Promise<T>): Promise<T> {
  const beganAt = performance.now()
  if (pace.flying === 0) pace.livelyAt = beganAt
  count(pace, 1)
  try {
    const attempted = await attempt()
    pace.window = attempted.delivered ? Math.min(pace.window + 1, windowMax) : Math.max(pace.window >> 1, windowMin)
    return attempted
  } finally {
    count(pace, -1)
    if (performance.now() - beganAt < slowAfterMs) setSlow(pace, false)
  }
}

/** To be called from time to time while attempts are under way. */
export function noteSilence(pace: Pace): void {
  if (pace.flying > 0 && performance.now() - pace.livelyAt >= slowAfterMs) setSlow(pace, true)
}

function setSlow(pace: Pace, isSlow: boolean): void {
  if (!isSlow) pace.livelyAt = performance.now()
  if (pace.isSlow === isSlow) return
  const by = pace.flying
  count(pace, -by)
  endpoints[laneOf(pace)]--
  pace.isSlow = isSlow
  endpoints[laneOf(pace)]++
  count(pace, by)
}

function count(pace: Pace, by: number): void {
  pace.flying += by
  flying[laneOf(pace)] += by
  if (pace.host) pace.host.share.flying[laneOf(pace)] += by
}
