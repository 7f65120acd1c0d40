import type { App, Caller, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { conflict, type DomainError, notFound, rateLimited } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { lockAccount } from '../../teams/account.ts'
import { refuseEndedLogin } from '../../teams/refuse-ended-login.ts'
import { countAttempt } from '../throttle/guard.ts'
import { subjectsOfAddress } from '../throttle/rules.ts'
import { signState } from './state.ts'

/**
 * Mails a link to another address, which gives it to the account once it is opened. The answer and its time are the
 * same for an address that has an account: its owner is told by mail. Throws `conflict` if the server cannot send mail
 * of its own, and `limitExceeded` after three an hour for an account, or 30 for a client.
 */
export async function requestAddress(
  app: App,
  caller: Caller,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<{ sent: true }> {
  if (app.config.systemFrom === null) {
    throw conflict(
      'This server sends no mail to its users, so it cannot prove an address. Ask its operator to set SYSTEM_FROM.',
    )
  }
  const outcome = await app.transaction((tx) => request(tx, caller, { email, clientAddress }))
  if (outcome instanceof Error) throw outcome
  return outcome
}

async function request(
  tx: Tx,
  caller: Caller,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<{ sent: true } | DomainError> {
  const { id: userId, teamId } = caller
  const account = await lockAccount(tx, userId)
  if (!account) return notFound('account')
  // A new password may have ended it while this waited, and the link would hold after it.
  await refuseEndedLogin(tx, caller)
  if (account.email.toLowerCase() === email.toLowerCase())
    return conflict('This is the address of the account already.')
  const seconds = await countAttempt(tx, subjectsOfAddress(userId, clientAddress))
  if (seconds !== null)
    return rateLimited(`Links to other addresses were asked for too often. Try again in ${seconds} s.`, seconds)
  const { address } = currentActor()
  await publish(tx, [
    { type: 'account.address_requested', teamId, data: { userId, email, address, state: signState(tx, account) } },
  ])
  return { sent: true }
}
