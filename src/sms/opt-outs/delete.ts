import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'

/** Unblocks a number from the next request on. */
export function deleteOptOut(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('sms_opt_outs')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('SMS opt-out')
    return { id, deleted: true }
  })
}
