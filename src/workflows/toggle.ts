import type { App, Caller, Db, Tx } from '../context.ts'
import { refuseForeignSender } from '../emails/messages/accept/refuse.ts'
import { recordChange } from '../platform/audit/record.ts'
import { conflict, forbidden, invalidFields } from '../platform/errors.ts'
import { type ReadConfigs, readConfigs } from './graph/config-faults.ts'
import { graphFaults } from './graph/faults.ts'
import type { Graph } from './graph/graph.ts'
import { hasPlaceholder } from './placeholders/fill.ts'
import { findGraph, findWorkflow, lockWorkflow, type Workflow } from './queries.ts'
import { activateTrigger, deactivateTrigger } from './triggers/activate.ts'

/** How often the graph may be edited between reading it and activating the workflow, before the request is refused. */
const attemptsMax = 10

/**
 * Activates or deactivates a workflow. Executions under way go on. Two requests at once switch it twice, one after the
 * other. Throws `invalid` with every fault of the graph, and `forbidden` if it sends from a domain that the key may not
 * use.
 */
export async function toggleWorkflow(app: App, caller: Caller, id: string): Promise<Workflow> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const graph = await findGraph(app, caller.teamId, id)
    // Outside the transaction, since it takes milliseconds for each node.
    const configs = await readConfigs(graph)
    const workflow = await app.transaction((tx) => toggle(app, tx, caller, { id, graphId: graph.id, configs }))
    if (workflow) return workflow
  }
  throw conflict('The workflow was changed repeatedly during this request. Repeat it once the changes are done.')
}

type Seen = { id: string; graphId: string; configs: ReadConfigs }

/** Returns null if the workflow has another graph by now. */
async function toggle(app: App, tx: Tx, caller: Caller, { id, graphId, configs }: Seen): Promise<Workflow | null> {
  const { teamId } = caller
  const { status, name, nodes, connections, graphId: current } = await lockWorkflow(tx, teamId, id)
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
  const workflow = { teamId, workflowId: id }
  if (isActive) await deactivateTrigger(tx, workflow, graph)
  else await activateTrigger(tx, workflow, graph)
  const action = isActive ? 'workflow.deactivated' : 'workflow.activated'
  await recordChange(tx, { teamId, action, target: { type: 'workflow', id, name } })
  return findWorkflow(app, tx.db, teamId, id)
}

async function refuseUnfit(tx: Tx, teamId: string, graph: Graph, configs: ReadConfigs): Promise<void> {
  const faults = await graphFaults(tx.db, teamId, graph, configs)
  if (faults.length > 0) throw invalidFields(faults)
}

/**
 * Throws `forbidden` if the caller's key is restricted to a domain and the graph may send from another one. An
 * execution itself runs with the rights of the team. Expects configs that are valid.
 */
async function refuseForeignSenders(db: Db, caller: Caller, graph: Graph): Promise<void> {
  if (caller.domainId === null) return
  const froms = textsOf(graph, 'send_email', 'from')
  const broadcastIds = textsOf(graph, 'send_broadcast', 'broadcast_id')
  if ([...froms, ...broadcastIds].some(hasPlaceholder)) {
    throw forbidden(
      'This API key may send only from its own domain: write out every `from` and `broadcast_id`, without placeholders.',
    )
  }
  const broadcasts = await findSendersOf(db, caller.teamId, broadcastIds)
  await refuseForeignSender(db, caller, [...froms, ...broadcasts])
}

function textsOf({ nodes }: Graph, type: string, field: string): string[] {
  return nodes.flatMap((node) => (node.type === type ? [node.config[field] as string] : []))
}

async function findSendersOf(db: Db, teamId: string, broadcastIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('broadcasts')
    .select('from_address as from')
    .where('team_id', '=', teamId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(broadcastIds)))
    .execute()
  return rows.map(({ from }) => from)
}
