import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** Deletes a credential, also one in use. Requests of workflows that name it then fail and are retried. */
export function deleteCredential(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('credentials')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('credential')
    return { id, deleted: true }
  })
}
