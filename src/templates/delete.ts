import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** Deletes a template. Emails accepted before, including scheduled ones, keep their rendered content. */
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
