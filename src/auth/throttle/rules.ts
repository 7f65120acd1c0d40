import { createHash } from 'node:crypto'
import { networkOf } from '../../platform/network/network.ts'

/** In 15 minutes, 5 wrong passwords or codes for one account, or 20 from one address, block further attempts. */
export const windowMs = 15 * 60_000
const [accountMax, addressMax, sessionsMax] = [5, 20, 20]

/** Mails that a person may ask for in an hour: three for one account, 30 from one address. */
const mailWindowMs = 3_600_000
const [mailsOfAccountMax, mailsOfAddressMax] = [3, 30]

/** The longest time for which a failure or request counts. */
export const longestWindowMs = Math.max(windowMs, mailWindowMs)

/**
 * A counter of failures or requests. At `max` within `windowMs`, or 15 minutes, the next one is refused; with null they
 * are only counted.
 */
export type Subject = { name: string; max: number | null; windowMs?: number }

export type Failure = { subject: string; failedAt: Date }

/**
 * Lists the subjects of a login. Accounts that do not exist are counted too, so that the throttle does not reveal which
 * do. A network that the account has signed in from has its own count, so that strangers cannot lock it out. All other
 * networks share the count of the account.
 */
export function subjectsOfLogin(
  emailLower: string,
  clientAddress: string,
  { isKnownNetwork }: { isKnownNetwork: boolean },
): Subject[] {
  // Stored as a hash, so that no list of attempted addresses is kept.
  const account = createHash('sha256').update(emailLower).digest('base64url')
  const network = networkOf(clientAddress)
  return [
    { name: `account:${account}`, max: isKnownNetwork ? null : accountMax },
    { name: `account:${account}:${network}`, max: accountMax },
    { name: `address:${network}`, max: addressMax },
  ]
}

/**
 * Lists the subjects of passwords and codes sent in sessions: five of a session, and twenty of all sessions of the
 * account, since a session can open others. Failed logins do not count towards them.
 */
export function subjectsOfSession(userId: string, sessionId: string): Subject[] {
  return [
    { name: `session:${userId}:${sessionId}`, max: accountMax },
    { name: `sessions:${userId}`, max: sessionsMax },
  ]
}

/**
 * Lists the subjects of mails that verify an address: those that a person asks for again, and for all of them the
 * network.
 */
export function subjectsOfResend(userId: string, clientAddress: string): Subject[] {
  return [
    { name: `verification:${userId}`, max: mailsOfAccountMax, windowMs: mailWindowMs },
    ...subjectsOfVerification(clientAddress),
  ]
}

/** Lists the subject of the mails of sign-ups. */
export function subjectsOfVerification(clientAddress: string): Subject[] {
  return [{ name: `verification-address:${networkOf(clientAddress)}`, max: mailsOfAddressMax, windowMs: mailWindowMs }]
}

/** Lists the subjects of requests for a link to another address. */
export function subjectsOfAddress(userId: string, clientAddress: string): Subject[] {
  return [
    { name: `new-address:${userId}`, max: mailsOfAccountMax, windowMs: mailWindowMs },
    { name: `new-address-from:${networkOf(clientAddress)}`, max: mailsOfAddressMax, windowMs: mailWindowMs },
  ]
}

/** Lists the subjects of requests for a reset link. Accounts that do not exist are counted too. */
export function subjectsOfForgot(emailLower: string, clientAddress: string): Subject[] {
  const account = createHash('sha256').update(emailLower).digest('base64url')
  return [
    { name: `reset:${account}`, max: mailsOfAccountMax, windowMs: mailWindowMs },
    { name: `reset-address:${networkOf(clientAddress)}`, max: mailsOfAddressMax, windowMs: mailWindowMs },
  ]
}

/** Returns the seconds until another attempt is allowed, or null if it is allowed now. */
export function waitSeconds(subjects: Subject[], failures: Failure[], now: Date): number | null {
  const waits = subjects.map(({ name, max, windowMs: ms = windowMs }) => {
    if (max === null) return 0
    const times = failures.filter((failure) => failure.subject === name).map(({ failedAt }) => failedAt.getTime() + ms)
    const running = times.filter((endsAt) => endsAt > now.getTime()).sort((a, b) => b - a)
    // An attempt is allowed once fewer failures than the limit are left in the window.
    const freeAt = running[max - 1]
    return freeAt === undefined ? 0 : Math.ceil((freeAt - now.getTime()) / 1000)
  })
  const longest = Math.max(...waits)
  return longest > 0 ? longest : null
}
