import type { App, Caller } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { conflict } from '../platform/errors.ts'
import { type KnownVersions, refuseOtherVersion } from '../platform/version.ts'
import { settleGraph } from './graph/check-shape.ts'
import { deleteFormerGraphs } from './graph/forget.ts'
import { deleteGraph, insertGraph, refuseTooLarge } from './graph/insert.ts'
import { hidesSecrets, restoreSecrets, shownTo } from './hide-secrets.ts'
import { findWorkflow, lockWorkflow, type Workflow } from './queries.ts'
import { refuseRestricted } from './refuse-restricted.ts'
import type { WorkflowChanges } from './schema.ts'

/**
 * Changes a workflow. A change of nodes or connections inserts a new graph, since executions keep the one they began
 * with. Throws `conflict` while the workflow is active, `preconditionFailed` if it has none of the known versions, and
 * `invalid` with every fault of the new graph.
 */
export function updateWorkflow(
  app: App,
  caller: Caller,
  id: string,
  changes: WorkflowChanges,
  known: KnownVersions,
): Promise<Workflow> {
  const { teamId } = caller
  const { name, description, connections } = changes
  return app.transaction(async (tx) => {
    const before = await lockWorkflow(tx, teamId, id)
    if (before.status === 'active') {
      throw conflict('An active workflow cannot be changed. Deactivate it first; executions under way go on.')
    }
    if (known) refuseOtherVersion(known, shownTo(caller, await findWorkflow(app, tx.db, teamId, id)))
    refuseRestricted(app, caller, [...before.nodes, ...(changes.nodes ?? [])])
    const nodes = changes.nodes && hidesSecrets(caller) ? restoreSecrets(changes.nodes, before.nodes) : changes.nodes
    const isRedrawn = nodes !== undefined || connections !== undefined
    const graph = isRedrawn ? settleGraph(nodes ?? before.nodes, connections ?? before.connections) : null
    const graphId = graph && (await insertGraph(tx, teamId, id, graph))
    await tx.db
      .updateTable('workflows')
      .set({
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: description || null }),
        ...(graphId && { graph_id: graphId, graph_was_active: false }),
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .execute()
    if (graphId) {
      if (!before.graphWasActive) await deleteGraph(tx, teamId, before.graphId)
      await deleteFormerGraphs(tx, teamId, id, before.graphId)
      await refuseTooLarge(tx, teamId)
    }
    const after = await findWorkflow(app, tx.db, teamId, id)
    const { nodes: newNodes, connections: newConnections } = after
    const changed = { name: after.name, description: after.description, nodes: newNodes, connections: newConnections }
    const target = { type: 'workflow', id, name: after.name }
    await recordUpdate(tx, { teamId, action: 'workflow.updated', target }, before, changed, ['nodes', 'connections'])
    return after
  })
}
