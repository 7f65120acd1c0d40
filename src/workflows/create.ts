import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { insertWorkflow } from './insert.ts'
import { findWorkflow, type Workflow } from './queries.ts'
import type { NewWorkflow } from './schema.ts'

/** Creates an empty draft. Nodes come with a change. */
export function createWorkflow(app: App, teamId: string, fields: NewWorkflow): Promise<Workflow> {
  const { name } = fields
  const description = fields.description || null
  return app.transaction(async (tx) => {
    const id = await insertWorkflow(tx, teamId, { name, description, graph: { nodes: [], connections: [] } })
    await recordChange(tx, { teamId, action: 'workflow.created', target: { type: 'workflow', id, name } })
    return findWorkflow(app, tx.db, teamId, id)
  })
}
