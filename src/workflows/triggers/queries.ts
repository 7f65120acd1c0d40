import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'

export type Trigger = {
  teamId: string
  workflowId: string
  /** The type of the node. */
  type: string
  events: string[]
  config: Record<string, unknown>
}

/** Part of every send: reads an index, and finds nothing for a team without such triggers. */
export function findTriggersHearing(db: Db, teamIds: string[], eventTypes: string[]): Promise<Trigger[]> {
  return db
    .selectFrom('workflow_triggers')
    .select(['team_id as teamId', 'workflow_id as workflowId', 'type', 'events', 'config'])
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamIds)))
    .where('events', '&&', (eb) => eb.val(eventTypes))
    .orderBy('workflow_id')
    .execute()
}

export type Listener = Trigger & { graphId: string }

/**
 * Those of these workflows that are active, in the order of their ids. They can be switched off meanwhile, and not deleted: what
 * is started belongs to a workflow that is there. Triggers are asked for once the locks are held: while a change was waited for,
 * others may have taken their place.
 */
export async function lockListeners(tx: Tx, teamId: string, workflowIds: string[]): Promise<Listener[]> {
  const { rows: workflows } = await sql<{ id: string; graphId: string }>`
    select id, graph_id as "graphId" from workflows
    where team_id = ${teamId} and id = any(${workflowIds}::uuid[]) and status = 'active'
    order by id for key share
  `.execute(tx.db)
  if (workflows.length === 0) return []
  const graphIds = new Map(workflows.map(({ id, graphId }) => [id, graphId]))
  const triggers = await tx.db
    .selectFrom('workflow_triggers')
    .select(['team_id as teamId', 'workflow_id as workflowId', 'type', 'events', 'config'])
    .where('team_id', '=', teamId)
    .where('workflow_id', '=', (eb) => eb.fn.any(eb.val([...graphIds.keys()])))
    .orderBy('workflow_id')
    .execute()
  return triggers.map((trigger) => ({ ...trigger, graphId: graphIds.get(trigger.workflowId)! }))
}
