import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/** Revokes a key: no process takes it any more once this is committed. */
export function deleteApiKey(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('api_keys')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('API key')
    return { id, deleted: true }
  })
}
