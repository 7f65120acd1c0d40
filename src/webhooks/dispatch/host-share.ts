/** The endpoints of a team at one host that this process is working on. Slow and quick ones are counted apart. */
export type HostShare = { flows: Set<Guest>; flying: { slow: number; quick: number } }

/** The part of an endpoint's flow that its host's share reads and writes. */
type Guest = {
  traffic: { hosts: Map<string, HostShare> }
  window: number
  flying: number
  isSlow: boolean
  /** Null until the URL is known. */
  host: { key: string; share: HostShare } | null
}

/** Counts the endpoint for its host. Call it when the URL is known, and when it has changed. */
export function joinHost(flow: Guest, teamId: string, host: string): void {
  const key = `${teamId} ${host}`
  if (flow.host?.key === key) return
  leaveHost(flow)
  const { hosts } = flow.traffic
  const share = hosts.get(key) ?? { flows: new Set(), flying: { slow: 0, quick: 0 } }
  hosts.set(key, share)
  share.flows.add(flow)
  share.flying[flow.isSlow ? 'slow' : 'quick'] += flow.flying
  flow.host = { key, share }
}

export function leaveHost(flow: Guest): void {
  if (!flow.host) return
  const { key, share } = flow.host
  share.flows.delete(flow)
  share.flying[flow.isSlow ? 'slow' : 'quick'] -= flow.flying
  if (share.flows.size === 0) flow.traffic.hosts.delete(key)
  flow.host = null
}

/**
 * Tells whether the host may get another attempt. All endpoints of a team at one host share the window of the widest,
 * so that forty endpoints do not make forty times the load. Each may always have one attempt.
 */
export function hostHasRoom({ host, isSlow }: Guest): boolean {
  if (!host) return true
  let widest = 0
  for (const flow of host.share.flows) if (flow.isSlow === isSlow) widest = Math.max(widest, flow.window)
  return host.share.flying[isSlow ? 'slow' : 'quick'] < widest
}
