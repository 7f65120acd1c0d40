import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'

/** Asks for the mail that verifies the address of an account, which `isResend` sends again. Its token is made when the mail is. */
export async function requestVerification(
  tx: Tx,
  { userId, teamId, isResend = false }: { userId: string; teamId: string; isResend?: boolean },
): Promise<void> {
  await publish(tx, [{ type: 'account.verification_requested', teamId, data: { userId, isResend } }])
}
