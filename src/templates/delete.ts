import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** Emails accepted before, scheduled ones too, keep what they were rendered with. */
export function deleteTemplate(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('templates')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('template')
    return { id, deleted: true }
  })
}
