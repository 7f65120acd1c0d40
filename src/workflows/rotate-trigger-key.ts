import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { conflict } from '../platform/errors.ts'
import { findWorkflow, notOwn, type Workflow } from './queries.ts'
import { newTriggerKey } from './trigger-key.ts'

/**
 * Makes a new trigger key. The URL with the old one is 404 at once. Throws as `lockWorkflow` does, and `conflict` if
 * the workflow has no URL.
 */
export function rotateTriggerKey(app: App, teamId: string, id: string): Promise<Workflow> {
  return app.transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('workflows')
      .set({ trigger_key: newTriggerKey() })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw await notOwn(tx.db, teamId, id)
    const workflow = await findWorkflow(app, tx.db, teamId, id)
    if (workflow.triggerKey === null) {
      throw conflict('The workflow has no trigger URL. Give it the trigger webhook_received first.')
    }
    const target = { type: 'workflow', id, name: workflow.name }
    await recordChange(tx, { teamId, action: 'workflow.trigger_key_rotated', target })
    return workflow
  })
}
