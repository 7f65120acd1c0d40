import { createHash } from 'node:crypto'
import { networkOf } from '../../platform/network.ts'

/** Decided: 5 bad passwords or codes for one account, 20 from one address, in 15 minutes. */
export const windowMs = 15 * 60_000
const limits = { account: 5, address: 20 } as const

/** What failures are counted against. Accounts that do not exist are counted as well: the throttle tells nobody which do. */
export type Subject = { kind: keyof typeof limits; name: string }

export type Failure = { subject: string; failedAt: Date }

/** The account by a hash, so that no list of tried addresses is kept; the client by its network. */
export function subjectsOf(emailLower: string, clientAddress: string): Subject[] {
  const account = createHash('sha256').update(emailLower).digest('base64url')
  return [
    { kind: 'account', name: `account:${account}` },
    { kind: 'address', name: `address:${networkOf(clientAddress)}` },
  ]
}

/** Seconds until another try is allowed, or null where one is now. */
export function waitSeconds(subjects: Subject[], failures: Failure[], now: Date): number | null {
  const waits = subjects.map(({ kind, name }) => {
    const times = failures
      .filter((failure) => failure.subject === name)
      .map(({ failedAt }) => failedAt.getTime() + windowMs)
    const running = times.filter((endsAt) => endsAt > now.getTime()).sort((a, b) => b - a)
    // The next try is free when so many have run out that fewer than the limit are left.
    const freeAt = running[limits[kind] - 1]
    return freeAt === undefined ? 0 : Math.ceil((freeAt - now.getTime()) / 1000)
  })
  const longest = Math.max(...waits)
  return longest > 0 ? longest : null
}
