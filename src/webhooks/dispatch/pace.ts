import { type HostShare, hostHasRoom, leaveHost } from './host-share.ts'

/** The fewest concurrent attempts at an endpoint, so that one that does not answer costs little. */
export const windowMin = 4
export const windowMax = 50
/** An endpoint is slow once no attempt has ended for this long, until one ends sooner. */
const slowAfterMs = 2000
/** Concurrent attempts of this process at all quick endpoints, and as many at all slow ones. Past it, each endpoint has the minimum. */
const flyingMax = 1000
const windowLeast = 1

/** The rate at which an endpoint gets attempts. */
export type Pace = {
  /** Concurrent attempts. A success adds one, so the window doubles with each round; a failure halves it. */
  window: number
  flying: number
  isSlow: boolean
  /** When an attempt last ended in time, or one began after a pause. */
  livelyAt: number
  /** The team's endpoints at the same host. Null until the URL is known. */
  host: { key: string; share: HostShare } | null
}

/** Slow endpoints have their own bounds, so that they take nothing from quick ones. */
const endpoints = { slow: 0, quick: 0 }
const flying = { slow: 0, quick: 0 }
const laneOf = ({ isSlow }: Pace) => (isSlow ? 'slow' : 'quick')

export function beginPace(isSlow: boolean): Pace {
  const pace: Pace = { window: windowMin, flying: 0, isSlow, livelyAt: performance.now(), host: null }
  endpoints[laneOf(pace)]++
  return pace
}

/** Ends the pace of an endpoint. No attempt may be under way. */
export function endPace(pace: Pace): void {
  endpoints[laneOf(pace)]--
  leaveHost(pace)
}

/** Counts the slow endpoints that this process delivers to. */
export function countSlow(): number {
  return endpoints.slow
}

/** Tells whether another attempt may begin now. */
export function hasRoom(pace: Pace): boolean {
  const isCrowded = flying[laneOf(pace)] >= flyingMax || !hostHasRoom(pace)
  return pace.flying < (isCrowded ? windowLeast : pace.window)
}

/** Counts an attempt while it runs, and adapts the window to its result. */
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

/** Marks the endpoint as slow if no attempt has ended for a while. Call it regularly while attempts are under way. */
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
