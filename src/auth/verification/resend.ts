import type { App, Caller, Tx } from '../../context.ts'
import { conflict, type DomainError, orNotFound, rateLimited } from '../../platform/errors.ts'
import { lockAccount } from '../../teams/account.ts'
import { countAttempt } from '../throttle/guard.ts'
import { subjectsOfResend } from '../throttle/rules.ts'
import { requestVerification } from './request.ts'

/**
 * Mails the link that verifies the address again, at most three times an hour, and 30 times from a network. Throws
 * `conflict` if the address is verified or the server cannot send mail of its own, `unprocessable` if the address is
 * suppressed, and `limitExceeded`.
 */
export async function resendVerification(app: App, caller: Caller, clientAddress: string): Promise<{ sent: true }> {
  if (app.config.systemFrom === null) {
    const advice = 'Ask its operator to set SYSTEM_FROM, or for a link (posthorn user reset-link).'
    throw conflict(`This server sends no mail to its users. ${advice}`)
  }
  const outcome = await app.transaction((tx) => resend(tx, caller, clientAddress))
  if (outcome instanceof Error) throw outcome
  return outcome
}

async function resend(
  tx: Tx,
  { id: userId, teamId }: Caller,
  clientAddress: string,
): Promise<{ sent: true } | DomainError> {
  const account = await orNotFound('account', lockAccount(tx, userId))
  if (account.emailVerifiedAt) throw conflict('The address of this account is verified already.')
  const seconds = await countAttempt(tx, subjectsOfResend(userId, clientAddress))
  if (seconds !== null)
    return rateLimited(
      `The mail was sent three times in an hour, or 30 from your network. Try again in ${seconds} s.`,
      seconds,
    )
  await requestVerification(tx, { userId, teamId, isResend: true })
  return { sent: true }
}
