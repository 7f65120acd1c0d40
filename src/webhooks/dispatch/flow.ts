import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'
import { type HostShare, hostHasRoom, leaveHost } from './host-share.ts'

/** Concurrent attempts at one endpoint. An endpoint that does not answer gets the fewest, so that it costs little. */
const windowMin = 4
export const windowMax = 50
/** An endpoint is slow if no attempt at it has ended for this time, until an attempt ends sooner. */
const slowAfterMs = 2000
/**
 * The attempts at all quick endpoints together, and at all slow ones. Beyond this number, each endpoint gets its
 * minimum.
 */
const flyingMax = 1000
const windowLeast = 1

/** Quick and slow endpoints are counted separately, so that slow ones do not use the share of the others. */
type Count = { slow: number; quick: number }

/** The running work of this process at all endpoints. */
type Traffic = { endpoints: Count; flying: Count; hosts: Map<string, HostShare> }

/**
 * The flow control of one endpoint. It differs from platform/limits: the limit follows from what the endpoint answers.
 */
export type Flow = {
  traffic: Traffic
  /** A success widens it by one, so it doubles with each round; a failure halves it. */
  window: number
  flying: number
  isSlow: boolean
  /** The time at which an attempt last ended quickly, or began after a pause. */
  livelyAt: number
  /** The team's endpoints at the same host; null until the URL is known. */
  host: { key: string; share: HostShare } | null
}

const trafficOf = perApp(
  (): Traffic => ({ endpoints: { slow: 0, quick: 0 }, flying: { slow: 0, quick: 0 }, hosts: new Map() }),
)
const laneOf = ({ isSlow }: Flow) => (isSlow ? 'slow' : 'quick')

export function beginFlow(app: App, isSlow: boolean): Flow {
  const traffic = trafficOf(app)
  const flow: Flow = { traffic, window: windowMin, flying: 0, isSlow, livelyAt: performance.now(), host: null }
  traffic.endpoints[laneOf(flow)]++
  return flow
}

/** Ends the flow. Call it once no attempt is running. */
export function endFlow(flow: Flow): void {
  flow.traffic.endpoints[laneOf(flow)]--
  leaveHost(flow)
}

/** Counts the slow endpoints that this process is delivering to. */
export function countSlow(app: App): number {
  return trafficOf(app).endpoints.slow
}

/** Tells whether another attempt may begin now. */
export function mayBegin(flow: Flow): boolean {
  const isCrowded = flow.traffic.flying[laneOf(flow)] >= flyingMax || !hostHasRoom(flow)
  return flow.flying < (isCrowded ? windowLeast : flow.window)
}

/** Counts an attempt while it is under way and adapts the window to its outcome. */
export async function whileFlying<T extends { delivered: boolean }>(flow: Flow, attempt: () => Promise<T>): Promise<T> {
  const beganAt = performance.now()
  if (flow.flying === 0) flow.livelyAt = beganAt
  count(flow, 1)
  try {
    const attempted = await attempt()
    flow.window = attempted.delivered ? Math.min(flow.window + 1, windowMax) : Math.max(flow.window >> 1, windowMin)
    return attempted
  } finally {
    count(flow, -1)
    if (performance.now() - beganAt < slowAfterMs) setSlow(flow, false)
  }
}

/** Marks an endpoint without answers as slow. Call it from time to time while attempts are running. */
export function noteSilence(flow: Flow): void {
  if (flow.flying > 0 && performance.now() - flow.livelyAt >= slowAfterMs) setSlow(flow, true)
}

function setSlow(flow: Flow, isSlow: boolean): void {
  if (!isSlow) flow.livelyAt = performance.now()
  if (flow.isSlow === isSlow) return
  const by = flow.flying
  count(flow, -by)
  flow.traffic.endpoints[laneOf(flow)]--
  flow.isSlow = isSlow
  flow.traffic.endpoints[laneOf(flow)]++
  count(flow, by)
}

function count(flow: Flow, by: number): void {
  flow.flying += by
  flow.traffic.flying[laneOf(flow)] += by
  if (flow.host) flow.host.share.flying[laneOf(flow)] += by
}
