import type { App } from '../../context.ts'
import { recordUnblocking } from '../../platform/audit/record.ts'
import { notFound } from '../../platform/errors.ts'

/** Unblocks a number from the next request on. */
export function deleteOptOut(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('sms_opt_outs')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(['phone_number', 'reason'])
      .executeTakeFirstOrThrow(() => notFound('SMS opt-out'))
    const target = { type: 'sms_opt_out', id, name: deleted.phone_number }
    await recordUnblocking(tx, { teamId, action: 'sms_opt_out.removed', target, reason: deleted.reason })
    return { id, deleted: true }
  })
}
