import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'

/** Concurrent attempts at one endpoint. An endpoint that does not answer gets the fewest, so that it costs little. */
const windowMin = 4
export const windowMax = 50
/** An endpoint is slow if no attempt at it has ended for this time, until an attempt ends sooner. */
const slowAfterMs = 2000
/**
 * The attempts at all quick endpoints together, and at all slow ones. Beyond this number, each endpoint gets
 * `windowCrowded`.
 */
const flyingMax = 1000
const windowCrowded = 1

/** Quick and slow endpoints are counted separately, so that slow ones do not use the share of the others. */
type Count = { slow: number; quick: number }

/** The endpoints of a team at one host that this process is working on. */
type HostShare = { flows: Set<Flow>; flying: Count }

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
  return flow.flying < (isCrowded ? windowCrowded : flow.window)
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

/** Counts the endpoint for its host. Call it when the URL is known, and when it has changed. */
export function joinHost(flow: Flow, teamId: string, host: string): void {
  const key = `${teamId} ${host}`
  if (flow.host?.key === key) return
  leaveHost(flow)
  const { hosts } = flow.traffic
  const share = hosts.get(key) ?? { flows: new Set(), flying: { slow: 0, quick: 0 } }
  hosts.set(key, share)
  share.flows.add(flow)
  share.flying[laneOf(flow)] += flow.flying
  flow.host = { key, share }
}

function leaveHost(flow: Flow): void {
  if (!flow.host) return
  const { key, share } = flow.host
  share.flows.delete(flow)
  share.flying[laneOf(flow)] -= flow.flying
  if (share.flows.size === 0) flow.traffic.hosts.delete(key)
  flow.host = null
}

/**
 * Tells whether the host may get another attempt. All endpoints of a team at one host share the window of the widest,
 * so that forty endpoints do not make forty times the load. Each may always have one attempt.
 */
function hostHasRoom(flow: Flow): boolean {
  const { host, isSlow } = flow
  if (!host) return true
  let widest = 0
  for (const other of host.share.flows) if (other.isSlow === isSlow) widest = Math.max(widest, other.window)
  return host.share.flying[laneOf(flow)] < widest
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
