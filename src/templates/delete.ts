import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notOwnTemplate } from './queries.ts'

/** Deletes a template. Emails accepted before, including scheduled ones, keep their rendered content. */
export function deleteTemplate(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('templates')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!deleted) throw await notOwnTemplate(tx.db, teamId, id)
    const target = { type: 'template', id, name: deleted.name }
    await recordChange(tx, { teamId, action: 'template.deleted', target })
    return { id, deleted: true }
  })
}
