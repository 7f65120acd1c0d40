import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'

/** Deletes a template in any status. Messages that were sent with it keep their text and its name. */
export async function deleteTemplate(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  const result = await app.transaction((tx) =>
    tx.db.deleteFrom('whatsapp_templates').where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst(),
  )
  if (result.numDeletedRows === 0n) throw notFound('WhatsApp template')
  return { id, deleted: true }
}
