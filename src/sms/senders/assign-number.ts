import type { App } from '../../context.ts'
import { assignNumber } from '../../phone/assign.ts'
import { lockNumber } from './queries.ts'

/**
 * Assigns a number to a team, for the operator. Senders of other teams with that number stop working. Returns the
 * previous team, or null.
 */
export function assignSmsNumber(app: App, number: string, teamId: string): Promise<string | null> {
  return app.transaction(async (tx) => {
    await lockNumber(tx, number)
    await tx.db
      .updateTable('sms_senders')
      .set({ status: 'failed', rejection_reason: 'The number was assigned to another team.', updated_at: tx.now })
      .where('sender_id', '=', number)
      .where('sender_type', '<>', 'alphanumeric_id')
      .where('team_id', '<>', teamId)
      .where('status', 'in', ['pending', 'active'])
      .execute()
    return assignNumber(tx, teamId, { channel: 'sms', number })
  })
}
