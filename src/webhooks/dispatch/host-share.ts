import type { Pace } from './pace.ts'

/** The endpoints of a team at one host that this process delivers to. Slow and quick ones are counted separately. */
export type HostShare = { paces: Set<Pace>; flying: { slow: number; quick: number } }

const shares = new Map<string, HostShare>()

/** Adds an endpoint to the share of its host. Call it when the URL is known and when it changes. */
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
 * Tells whether the host may get another attempt. All endpoints of a team at one host share the window of the widest, so
 * that forty endpoints do not make forty times the load. Each may always have one attempt.
 */
export function hostHasRoom({ host, isSlow }: Pace): boolean {
  if (!host) return true
  let widest = 0
  for (const pace of host.share.paces) if (pace.isSlow === isSlow) widest = Math.max(widest, pace.window)
  return host.share.flying[isSlow ? 'slow' : 'quick'] < widest
}
