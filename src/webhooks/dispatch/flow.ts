import type { App } from '../../context.ts'
import { perApp } from '../../platform/per-app.ts'
import { type HostShare, hostHasRoom, leaveHost } from './host-share.ts'

/** Concurrent attempts at one endpoint. An endpoint that does not answer gets the fewest, so that it costs little. */
export const windowMin = 4
export const windowMax = 50
/** An endpoint is slow once no attempt at it has ended for so long, until one ends sooner. */
const slowAfterMs = 2000
/** Attempts at all quick endpoints together, and the same number at all slow ones. Past it, each endpoint has its least. */
const flyingMax = 1000
const windowLeast = 1

/** Quick and slow endpoints are counted apart, so that slow ones take nothing from the others. */
type Count = { slow: number; quick: number }

/** What this process does at all endpoints together. */
export type Traffic = { endpoints: Count; flying: Count; hosts: Map<string, HostShare> }

/** The flow control of one endpoint. It differs from platform/limits: the limit follows from what the endpoint answers. */
export type Flow = {
  traffic: Traffic
  /** A success widens it by one, so it doubles with each round; a failure halves it. */
  window: number
  flying: number
  isSlow: boolean
  /** When an attempt last ended soon, or one began after a rest. */
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

/** To be called once no attempt is under way. */
export function endFlow(flow: Flow): void {
  flow.traffic.endpoints[laneOf(flow)]--
  leaveHost(flow)
}

/** The slow endpoints that this process is working on. */
export function countSlow(app: App): number {
  return trafficOf(app).endpoints.slow
}

/** Whether another attempt may begin now. */
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

/** To be called from time to time while attempts are under way. */
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
