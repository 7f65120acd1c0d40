import type { App } from '../../context.ts'
import { conflict, notFound } from '../../platform/errors.ts'

/** Deletes a sender without messages; throws `conflict` otherwise. */
export async function deleteSender(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  try {
    const result = await app.transaction((tx) =>
      tx.db.deleteFrom('whatsapp_senders').where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst(),
    )
    if (result.numDeletedRows === 0n) throw notFound('WhatsApp sender')
    return { id, deleted: true }
  } catch (error) {
    // Only the foreign key is exact, since a message may be sent at the same moment.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_conversations_sender') throw error
    throw conflict('This sender has messages, and they are kept. It cannot be deleted.')
  }
}
