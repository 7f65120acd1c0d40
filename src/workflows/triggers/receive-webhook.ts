import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { currentCause, depthHere } from '../../platform/cause/cause.ts'
import { causeHeader } from '../../platform/cause/header.ts'
import { conflict, DomainError, invalid } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { testTeamOf } from '../../platform/mode/mode.ts'
import { startExecutions } from '../executions/start.ts'
import { hasTriggerUrl } from '../graph/fitness.ts'
import type { ExecutionStatus } from '../table.ts'
import { findDepths } from './events/depth.ts'
import type { WorkflowEvent } from './events/event.ts'
import { lockActiveTriggers } from './queries.ts'

/**
 * Starts an execution. Throws `notFound` for an unknown key and for that of a workflow with another trigger, `conflict`
 * if the workflow is inactive, and refusals of storage.
 */
export function receiveTrigger(app: App, publicKey: string, idempotencyKey: string | null, request: FastifyRequest) {
  const triggerData = requestData(request)
  return app.transaction(async (tx): Promise<{ executionId: string; status: ExecutionStatus }> => {
    const workflow = await findWorkflowByKey(tx, publicKey)
    if (!workflow) throw unknownUrl()
    const { ownerId, workflowId } = workflow
    // The call of a test execution starts a test execution.
    const teamId = currentCause()?.mode === 'test' ? testTeamOf(ownerId) : ownerId
    // A repeated request gets its answer, also if the workflow is not active any more.
    const known = idempotencyKey === null ? undefined : await findKnown(tx, teamId, workflowId, idempotencyKey)
    if (known) return known
    const [trigger] = await lockActiveTriggers(tx, ownerId, [workflowId])
    if (!trigger) throw await refusalOfIdle(tx, ownerId, workflowId)
    if (trigger.type !== 'webhook_received') throw unknownUrl()
    const { graphId } = trigger
    const depth = Math.max(depthHere(), await depthOfDelivery(tx, teamId, triggerData.body))
    const [started] = await startExecutions(tx, [
      { teamId, ownerId, workflowId, graphId, triggerData, depth, idempotencyKey, startedBy: 'webhook' },
    ])
    if (!started) throw unknownUrl()
    if (started instanceof DomainError) throw started
    return { executionId: started.id, status: started.status }
  })
}

/**
 * Returns the place in its chain of an execution that a delivery of a webhook starts: it goes on with the chain of its
 * email. 0 for any other body.
 */
async function depthOfDelivery(tx: Tx, teamId: string, body: unknown): Promise<number> {
  const { data } = (body ?? {}) as { data?: { email_id?: unknown } | null }
  const emailId = data?.email_id
  if (!isUuid(emailId)) return 0
  const [depth = 0] = await findDepths(tx.db, teamId, [{ data: { emailId } as WorkflowEvent['data'] }])
  return depth
}

/** Not limited to a team: the request carries a trigger key, not an API key. */
function findWorkflowByKey(tx: Tx, publicKey: string) {
  return tx.db
    .selectFrom('workflows')
    .innerJoin('teams', 'teams.id', 'workflows.team_id')
    .select(['workflows.team_id as ownerId', 'workflows.id as workflowId'])
    .where('trigger_key', '=', publicKey)
    .where('teams.deleted_at', 'is', null)
    .executeTakeFirst()
}

function findKnown(tx: Tx, teamId: string, workflowId: string, idempotencyKey: string) {
  return tx.db
    .selectFrom('workflow_executions')
    .select(['id as executionId', 'status'])
    .where('team_id', '=', teamId)
    .where('workflow_id', '=', workflowId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
}

/** The key of a workflow that is not active, and has no URL if its graph has another trigger by now. */
async function refusalOfIdle(tx: Tx, ownerId: string, workflowId: string): Promise<DomainError> {
  const { rows: nodes } = await sql<{ type: string }>`
    select node->>'type' as type from workflows as workflow
    join workflow_graphs as graph on graph.team_id = workflow.team_id and graph.id = workflow.graph_id
    cross join lateral jsonb_array_elements(graph.nodes) as node
    where workflow.team_id = ${ownerId} and workflow.id = ${workflowId}
  `.execute(tx.db)
  if (!hasTriggerUrl({ nodes })) return unknownUrl()
  return conflict('The workflow of this URL is not active. Activate it, then repeat the request.')
}

function unknownUrl(): DomainError {
  const message = 'There is no workflow with this URL. Compare it with the triggerUrl of the workflow.'
  return new DomainError('notFound', message)
}

/** Headers of the connection (RFC 9110, 7.6.1), and secrets of the sender, which the history must not show. */
const leftOut = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['authorization', 'proxy-authorization', 'cookie', causeHeader.toLowerCase()],
])

/**
 * Makes trigger data of a request. Names of headers are in lower case; a repeated name in the query has the list of its
 * values.
 */
function requestData({ headers, query, body }: FastifyRequest) {
  const parameters = query as Record<string, string | string[]>
  if (Object.hasOwn(parameters, '__proto__')) throw invalid('__proto__', 'is not a name that can be used')
  return {
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !leftOut.has(name))),
    query: { ...parameters },
    body,
  }
}
