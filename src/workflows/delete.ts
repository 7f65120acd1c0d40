import type { App, Caller } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { conflict } from '../platform/errors.ts'
import { forgetExecutionsOf } from './executions/forget.ts'
import { lockWorkflow } from './queries.ts'
import { refuseRestricted } from './refuse-restricted.ts'

/** Deletes a workflow with its executions; those under way are cancelled. Throws `conflict` while it is active. */
export function deleteWorkflow(app: App, caller: Caller, id: string): Promise<{ id: string; deleted: true }> {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const { status, name, nodes } = await lockWorkflow(tx, teamId, id)
    refuseRestricted(app, caller, nodes)
    if (status === 'active') throw conflict('An active workflow cannot be deleted. Deactivate it first.')
    await tx.db.deleteFrom('workflows').where('team_id', '=', teamId).where('id', '=', id).execute()
    await forgetExecutionsOf(app, tx, teamId, id)
    await recordChange(tx, { teamId, action: 'workflow.deleted', target: { type: 'workflow', id, name } })
    return { id, deleted: true }
  })
}
