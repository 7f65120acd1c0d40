import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** Unblocks an address: the next request may send to it again. */
export function deleteSuppression(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('suppressions')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('suppression')
    return { id, deleted: true }
  })
}
