import type { App, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { countAttempt } from '../throttle/guard.ts'
import { subjectsOfVerification } from '../throttle/rules.ts'

/**
 * Asks for the mail that verifies the address of an account, which `isResend` sends again. Its token is made when the
 * mail is.
 */
export async function requestVerification(
  tx: Tx,
  { userId, teamId, isResend = false }: { userId: string; teamId: string; isResend?: boolean },
): Promise<void> {
  await publish(tx, [{ type: 'account.verification_requested', teamId, data: { userId, isResend } }])
}

/**
 * Asks for the mail that verifies the address of a new account. In an hour 30 are followed from one network; the
 * accounts of further ones work without it, and their owners may ask for it later.
 */
export async function requestFirstVerification(
  tx: Tx,
  { config }: Pick<App, 'config'>,
  account: { userId: string; teamId: string },
  clientAddress: string,
): Promise<void> {
  // Without system mail there is nothing to count.
  const isMailed = config.systemFrom !== null
  if (!isMailed || (await countAttempt(tx, subjectsOfVerification(clientAddress))) === null)
    await requestVerification(tx, account)
}
