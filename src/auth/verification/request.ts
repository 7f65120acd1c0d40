import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'

/** Asks for the mail that verifies the address of a new account. Its token is made when the mail is. */
export async function requestVerification(
  tx: Tx,
  { userId, teamId }: { userId: string; teamId: string },
): Promise<void> {
  await publish(tx, [{ type: 'account.verification_requested', teamId, data: { userId } }])
}
