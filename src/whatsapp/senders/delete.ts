import type { App } from '../../context.ts'
import { suspendedStays } from '../../phone/suspend.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, notFound } from '../../platform/errors.ts'

/** Deletes a sender without messages that is not suspended; throws `conflict` otherwise. */
export async function deleteSender(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  try {
    return await app.transaction(async (tx) => {
      const query = tx.db.deleteFrom('whatsapp_senders').where('team_id', '=', teamId).where('id', '=', id)
      const { name, status } = await query
        .returning(['name', 'status'])
        .executeTakeFirstOrThrow(() => notFound('WhatsApp sender'))
      if (status === 'suspended') throw conflict(suspendedStays)
      const target = { type: 'whatsapp_sender', id, name }
      await recordChange(tx, { teamId, action: 'whatsapp_sender.deleted', target })
      return { id, deleted: true as const }
    })
  } catch (error) {
    // Only the foreign key is exact, since a message may be sent at the same moment.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_conversations_sender') throw error
    throw conflict('This sender has messages, and they are kept. It cannot be deleted.')
  }
}
