import type { App } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, notFound } from '../../platform/errors.ts'

/** Deletes a sender without messages; throws `conflict` otherwise. */
export async function deleteSender(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  try {
    return await app.transaction(async (tx) => {
      const query = tx.db.deleteFrom('whatsapp_senders').where('team_id', '=', teamId).where('id', '=', id)
      const deleted = await query.returning('name').executeTakeFirstOrThrow(() => notFound('WhatsApp sender'))
      const target = { type: 'whatsapp_sender', id, name: deleted.name }
      await recordChange(tx, { teamId, action: 'whatsapp_sender.deleted', target })
      return { id, deleted: true as const }
    })
  } catch (error) {
    // Only the foreign key is exact, since a message may be sent at the same moment.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_conversations_sender') throw error
    throw conflict('This sender has messages, and they are kept. It cannot be deleted.')
  }
}
