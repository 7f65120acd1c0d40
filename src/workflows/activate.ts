import type { App, Caller, Tx } from '../context.ts'
import { conflict, invalidFields } from '../platform/errors.ts'
import { type ReadConfigs, readConfigs } from './graph/config-faults.ts'
import { fitnessFaults } from './graph/fitness.ts'
import type { Graph } from './graph/graph.ts'
import { referenceFaults } from './graph/references.ts'
import { findGraph, findWorkflow, lockWorkflow, type Workflow } from './queries.ts'
import { refuseForeignSenders } from './senders.ts'
import { startTrigger, stopTrigger } from './triggers/sync.ts'

/** Edits that may come between reading a graph and switching it on. */
const attemptsMax = 10

/**
 * Switches a workflow on, where it is fit to run, or off; executions under way go on. Two requests at once switch twice, one after
 * the other. Throws `invalid` with everything that keeps it from being switched on, `forbidden` where the key may not send as it does.
 */
export async function toggleWorkflow(app: App, caller: Caller, id: string): Promise<Workflow> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const graph = await findGraph(app.db, caller.teamId, id)
    // That takes its time: nobody is to wait for a lock or a connection meanwhile.
    const configs = await readConfigs(graph)
    const workflow = await app.transaction((tx) => toggle(app, tx, caller, { id, graphId: graph.id, configs }))
    if (workflow) return workflow
  }
  throw conflict('The workflow is being changed all the time. Repeat the request once that is over.')
}

type Seen = { id: string; graphId: string; configs: ReadConfigs }

/** Null where the graph that was read is not the workflow's any more. */
async function toggle(app: App, tx: Tx, caller: Caller, { id, graphId, configs }: Seen): Promise<Workflow | null> {
  const { teamId } = caller
  const { status, nodes, connections, graphId: current } = await lockWorkflow(tx, teamId, id)
  if (current !== graphId) return null
  const graph = { nodes, connections }
  const isActive = status === 'active'
  if (!isActive) {
    await refuseUnfit(tx, teamId, graph, configs)
    await refuseForeignSenders(tx.db, caller, graph)
  }
  await tx.db
    .updateTable('workflows')
    .set(isActive ? { status: 'inactive' } : { status: 'active', graph_was_active: true })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', status)
    .execute()
  if (isActive) await stopTrigger(tx, teamId, id)
  else await startTrigger(tx, { teamId, workflowId: id, graph })
  return findWorkflow(app, tx.db, teamId, id)
}

async function refuseUnfit(tx: Tx, teamId: string, graph: Graph, configs: ReadConfigs): Promise<void> {
  const unknown = await referenceFaults(tx, teamId, configs.named)
  const faults = [...fitnessFaults(graph), ...configs.faults, ...unknown]
  if (faults.length > 0) throw invalidFields(faults)
}
