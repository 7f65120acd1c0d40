import type { App } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { notOwnTemplate } from './queries.ts'

/** Deletes a template in any status. Messages that were sent with it keep their text and its name. */
export async function deleteTemplate(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const query = tx.db.deleteFrom('whatsapp_templates').where('team_id', '=', teamId).where('id', '=', id)
    const deleted = await query.returning('name').executeTakeFirst()
    if (!deleted) throw await notOwnTemplate(tx.db, teamId, id)
    const target = { type: 'whatsapp_template', id, name: deleted.name }
    await recordChange(tx, { teamId, action: 'whatsapp_template.deleted', target })
    return { id, deleted: true }
  })
}
