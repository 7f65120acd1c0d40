import type { App } from '../context.ts'
import { recordUnblocking } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'

/** Unblocks an address: the next request may send to it again. */
export function deleteSuppression(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('suppressions')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(['email', 'reason'])
      .executeTakeFirstOrThrow(() => notFound('suppression'))
    const target = { type: 'suppression', id, name: deleted.email }
    await recordUnblocking(tx, { teamId, action: 'suppression.removed', target, reason: deleted.reason })
    return { id, deleted: true }
  })
}
