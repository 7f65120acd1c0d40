import type { Pace } from './pace.ts'

/** The endpoints of a team at one host that this process works at. Slow ones and quick ones count apart, as everywhere. */
export type HostShare = { paces: Set<Pace>; flying: { slow: number; quick: number } }

const shares = new Map<string, HostShare>()

/** Call it when the endpoint's URL is known, and when it has changed. */
export function joinHost(pace: Pace, teamId: string, host: string): void {
  const key = `${teamId} ${host}`
  if (pace.host?.key === key) return
  leaveHost(pace)
  const share = shares.get(key) ?? { paces: new Set(), flying: { slow: 0, quick: 0 } }
  shares.set(key, share)
  share.paces.add(pace)
  share.flying[pace.isSlow ? 'slow' : 'quick'] += pace.flying
  pace.host = { key, share }
}

export function leaveHost(pace: Pace): void {
  if (!pace.host) return
  const { key, share } = pace.host
  share.paces.delete(pace)
  share.flying[pace.isSlow ? 'slow' : 'quick'] -= pace.flying
  if (share.paces.size === 0) shares.delete(key)
  pace.host = null
}

/**
 * Whether the host has room for another attempt. All endpoints of a team at a host have the attempts of the widest of them,
 * and each always has one: forty endpoints at a host are not forty times the load.
 */
export function hostHasRoom({ host, isSlow }: Pace): boolean {
  if (!host) return true
  let widest = 0
  for (const pace of host.share.paces) if (pace.isSlow === isSlow) widest = Math.max(widest, pace.window)
  return host.share.flying[isSlow ? 'slow' : 'quick'] < widest
}
