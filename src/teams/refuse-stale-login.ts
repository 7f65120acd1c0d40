import type { Caller } from '../context.ts'
import { forbidden } from '../platform/errors.ts'

/** A password or code stands for 15 minutes, as an access token does. */
export const confirmedForMs = 15 * 60_000

/**
 * Throws `forbidden`, named `reauthentication_required`, if the user last gave the password or a code in this login
 * more than 15 minutes ago. API keys pass. Costs no query, since the caller carries the time. A route whose requests
 * ask in some cases calls it itself; `asksAgain` of the route says in which.
 */
export function refuseStaleLogin({ kind, confirmedAt }: Caller, now: Date): void {
  if (kind !== 'user') return
  if (confirmedAt && now.getTime() - confirmedAt.getTime() <= confirmedForMs) return
  throw forbidden(
    'This needs a password or code given in the last 15 minutes. Send one to POST /auth/reauthenticate and repeat the request. An account with neither signs in again through its provider.',
    'reauthentication_required',
  )
}
