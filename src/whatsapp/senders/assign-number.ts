import type { App } from '../../context.ts'
import { assignNumber } from '../../phone/assign.ts'

/**
 * Assigns a phoneNumberId to a team, for the operator. Senders of other teams with it stop working. Returns the
 * previous team, or null.
 */
export function assignWhatsappNumber(app: App, number: string, teamId: string): Promise<string | null> {
  return app.transaction(async (tx) => {
    await tx.db
      .updateTable('whatsapp_senders')
      .set({ status: 'failed', rejection_reason: 'The number was assigned to another team.', updated_at: tx.now })
      .where('phone_number_id', '=', number)
      .where('team_id', '<>', teamId)
      .where('status', 'in', ['pending', 'active'])
      .execute()
    return assignNumber(tx, teamId, { channel: 'whatsapp', number })
  })
}
