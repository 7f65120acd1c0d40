import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { noteStoredBytes } from '../../emails/quota/note-stored-bytes.ts'
import { DomainError, invalid, notFound } from '../../platform/errors.ts'
import { findExecution } from './queries.ts'
import type { Execution, RerunBody } from './schema.ts'
import { startExecutions } from './start.ts'

/** A new execution of what a finished one ran; asked for by hand, so it begins a chain of its own. */
export function rerunExecution(app: App, teamId: string, workflowId: string, id: string, body: RerunBody) {
  const { fromFailedNode = false } = body
  return app.transaction(async (tx) => {
    refuseOther(await findExecution(tx.db, teamId, workflowId, id), fromFailedNode)
    const origin = await findOrigin(tx, teamId, id)
    const [rerun] = await startExecutions(tx, [
      { teamId, workflowId, ...origin, depth: 1, rerunOf: id, startedBy: 'rerun' },
    ])
    if (!rerun) throw notFound('execution')
    if (rerun instanceof DomainError) throw rerun
    if (fromFailedNode) await keepCompleted(tx, teamId, id, rerun.id)
    return findExecution(tx.db, teamId, workflowId, rerun.id)
  })
}

function refuseOther({ status }: Execution, fromFailedNode: boolean): void {
  if (status === 'running' || status === 'waiting') {
    throw new DomainError(
      'invalid',
      `The execution is ${status}. Run it again once it is finished, or cancel it first.`,
    )
  }
  if (fromFailedNode && status !== 'failed') {
    throw invalid(
      'fromFailedNode',
      `only an execution that failed can be run from its failed node; this one is ${status}`,
    )
  }
}

type Origin = { graphId: string; triggerData: unknown; vars: Record<string, unknown> }

async function findOrigin(tx: Tx, teamId: string, id: string): Promise<Origin> {
  const { rows } = await sql<Origin>`
    select graph_id as "graphId", trigger_data as "triggerData", vars from workflow_executions
    where team_id = ${teamId} and id = ${id}
  `.execute(tx.db)
  return rows[0]!
}

/** What was skipped follows from what is complete. Ids are new: an email sent then belongs to the execution that sent it. */
async function keepCompleted(tx: Tx, teamId: string, from: string, to: string): Promise<void> {
  await sql`
    with kept as (
      insert into workflow_execution_nodes (team_id, execution_id, node_id, id, node_type, status, attempts, interruptions,
        branch, input_data, output_data, started_at, completed_at)
      select team_id, ${to}, node_id, gen_random_uuid(), node_type, status, attempts, interruptions, branch, input_data,
        output_data, started_at, completed_at
      from workflow_execution_nodes
      where team_id = ${teamId} and execution_id = ${from} and status = 'completed'
      returning team_id, execution_node_bytes(input_data, output_data, error) as bytes
    )
    ${noteStoredBytes(sql`select team_id, bytes from kept`)}
  `.execute(tx.db)
}
