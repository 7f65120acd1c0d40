import type { App, Tx } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notOwnTemplate } from './queries.ts'

/** Deletes a template. Emails accepted before, including scheduled ones, keep their rendered content. */
export function deleteTemplate(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction((tx) => removeTemplate(tx, teamId, id))
}

/** Does what `deleteTemplate` does in a unit of work of the caller. */
export async function removeTemplate(tx: Tx, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
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
}
