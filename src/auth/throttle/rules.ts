import { createHash } from 'node:crypto'
import { networkOf } from '../../platform/network.ts'

/** Decided: 5 bad passwords or codes for one account, 20 from one address, in 15 minutes. */
export const windowMs = 15 * 60_000
const [accountMax, addressMax] = [5, 20]

/** A counter of failures. At `max` failures the next try waits; with null they are only counted. */
export type Subject = { name: string; max: number | null }

export type Failure = { subject: string; failedAt: Date }

/**
 * The subjects of a login. Accounts that do not exist are counted as well: the throttle tells no one which do. A network
 * that the account has signed in from before has a count of its own, so that strangers' failures do not lock it out; all
 * other networks share the account's.
 */
export function subjectsOfLogin(
  emailLower: string,
  clientAddress: string,
  { isKnownNetwork }: { isKnownNetwork: boolean },
): Subject[] {
  // By a hash, so that no list of tried addresses is kept.
  const account = createHash('sha256').update(emailLower).digest('base64url')
  const network = networkOf(clientAddress)
  return [
    { name: `account:${account}`, max: isKnownNetwork ? null : accountMax },
    { name: `account:${account}:${network}`, max: accountMax },
    { name: `address:${network}`, max: addressMax },
  ]
}

/** The one subject of codes sent in a session: no other session, and no failed login, keeps its owner waiting. */
export function subjectsOfSession(userId: string, sessionId: string): Subject[] {
  return [{ name: `session:${userId}:${sessionId}`, max: accountMax }]
}

/** Seconds until another try is allowed, or null where one is now. */
export function waitSeconds(subjects: Subject[], failures: Failure[], now: Date): number | null {
  const waits = subjects.map(({ name, max }) => {
    if (max === null) return 0
    const times = failures
      .filter((failure) => failure.subject === name)
      .map(({ failedAt }) => failedAt.getTime() + windowMs)
    const running = times.filter((endsAt) => endsAt > now.getTime()).sort((a, b) => b - a)
    // The next try is free when so many have run out that fewer than the limit are left.
    const freeAt = running[max - 1]
    return freeAt === undefined ? 0 : Math.ceil((freeAt - now.getTime()) / 1000)
  })
  const longest = Math.max(...waits)
  return longest > 0 ? longest : null
}
