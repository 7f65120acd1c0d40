import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'

/** Deletes a credential, also one in use. Requests of workflows that name it then fail and are retried. */
export function deleteCredential(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('credentials')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirstOrThrow(() => notFound('credential'))
    const target = { type: 'credential', id, name: deleted.name }
    await recordChange(tx, { teamId, action: 'credential.deleted', target })
    return { id, deleted: true }
  })
}
