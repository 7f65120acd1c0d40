import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { opaqueArray } from '../../platform/sql/sql-rows.ts'

export type Trigger = {
  teamId: string
  workflowId: string
  type: string
  events: string[]
  config: Record<string, unknown>
}

/** The trigger of an active workflow, and the graph that it starts. */
export type ActiveTrigger = Trigger & { graphId: string }

const triggerColumns = ['team_id as teamId', 'workflow_id as workflowId', 'type', 'events', 'config'] as const

/** Finds the triggers that listen to these events. Part of every send, so it reads an index only. */
export function findListeningTriggers(tx: Tx, teamIds: string[], eventTypes: string[]): Promise<Trigger[]> {
  const listening = tx.db
    .selectFrom('workflow_triggers')
    .select(triggerColumns)
    .where('team_id', '=', sql<string>`any(${opaqueArray(teamIds, 'uuid')})`)
    .where('events', '&&', opaqueArray(eventTypes, 'text'))
    .orderBy('workflow_id')
  return tx.send(listening)
}

/**
 * Locks the active ones of these workflows, in the order of their ids. They may be deactivated meanwhile, and cannot be
 * deleted. Reads the triggers once the locks are held, since a change may have replaced them before.
 */
export async function lockActiveTriggers(tx: Tx, teamId: string, workflowIds: string[]): Promise<ActiveTrigger[]> {
  const { rows: workflows } = await sql<{ id: string; graphId: string }>`
    select id, graph_id as "graphId" from workflows
    where team_id = ${teamId} and id = any(${workflowIds}::uuid[]) and status = 'active'
    order by id for key share
  `.execute(tx.db)
  if (workflows.length === 0) return []
  const graphIds = new Map(workflows.map(({ id, graphId }) => [id, graphId]))
  const triggers = await tx.db
    .selectFrom('workflow_triggers')
    .select(triggerColumns)
    .where('team_id', '=', teamId)
    .where('workflow_id', '=', (eb) => eb.fn.any(eb.val([...graphIds.keys()])))
    .orderBy('workflow_id')
    .execute()
  return triggers.map((trigger) => ({ ...trigger, graphId: graphIds.get(trigger.workflowId)! }))
}
