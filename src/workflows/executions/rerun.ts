import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { depthHere } from '../../platform/cause/cause.ts'
import { DomainError, invalid, notFound } from '../../platform/errors.ts'
import { findResponse, onceForKey } from '../../platform/idempotency/answer-once.ts'
import { insertRequestKeys, type RequestKey, requestKey, storeResponses } from '../../platform/idempotency/keys.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { noteStoredBytes } from '../../teams/bounds/stored-bytes.ts'
import { findExecution } from './queries.ts'
import type { Execution, RerunBody } from './schema.ts'
import { startExecutions } from './start.ts'

const endpoint = 'POST /v1/workflows/{id}/executions/{exec_id}/rerun'

type Request = { workflowId: string; id: string; body: RerunBody; idempotencyKey: string | null }

/**
 * Starts a new execution with the graph and data of a finished one. Throws `notFound`, `invalid` if the execution
 * cannot be repeated in this way, and a refusal if the team stores as much as its plan allows.
 */
export async function rerunExecution(app: App, teamId: string, request: Request): Promise<Execution> {
  const { workflowId, id, body, idempotencyKey } = request
  const key = requestKey(teamId, endpoint, idempotencyKey, { workflowId, id, ...body })
  return onceForKey(
    () => findKnown(app, key),
    () => app.transaction((tx) => rerunNew(tx, teamId, request, key)),
  )
}

/** Finds the answer of an earlier request. One commit writes the key and the answer, so a known key has an answer. */
async function findKnown(app: App, key: RequestKey | null): Promise<Execution | null> {
  const response = key && (await findResponse(app, key, async () => null))
  return response ? (response.body as Execution) : null
}

/** Returns null if another request with the key came first. */
async function rerunNew(
  tx: Tx,
  teamId: string,
  { workflowId, id, body: { fromFailedNode = false } }: Request,
  key: RequestKey | null,
): Promise<Execution | null> {
  if (key && (await insertRequestKeys(tx, [{ ...key, resourceIds: [id] }])).size === 0) return null
  refuseOther(await findExecution(tx.db, teamId, workflowId, id), fromFailedNode)
  const origin = await findOrigin(tx, teamId, id)
  const [rerun] = await startExecutions(tx, [
    { teamId, workflowId, ...origin, depth: depthHere(), rerunOf: id, startedBy: 'rerun' },
  ])
  if (!rerun) throw notFound('execution')
  if (rerun instanceof DomainError) throw rerun
  if (fromFailedNode) await keepCompleted(tx, teamId, id, rerun.id)
  const execution = await findExecution(tx.db, teamId, workflowId, rerun.id)
  if (key) await storeResponses(tx, [{ key, response: { status: 201, body: execution } }])
  return execution
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

type Origin = { ownerId: string; graphId: string; triggerData: unknown; vars: Record<string, unknown> }

async function findOrigin(tx: Tx, teamId: string, id: string): Promise<Origin> {
  const { rows } = await sql<Origin>`
    select workflow.team_id as "ownerId", execution.graph_id as "graphId", trigger_data as "triggerData", vars
    from workflow_executions as execution
    join workflows as workflow on workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = execution.workflow_id
    where execution.team_id = ${teamId} and execution.id = ${id}
  `.execute(tx.db)
  return rows[0]!
}

/**
 * Copies the completed nodes, from which the skipped ones follow. Ids are new: an email has the id of the node that
 * sends it.
 */
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
