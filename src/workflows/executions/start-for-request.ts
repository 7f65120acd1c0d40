import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { depthHere } from '../../platform/cause/cause.ts'
import { conflict, DomainError, notFound } from '../../platform/errors.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import type { WorkflowStatus } from '../table.ts'
import { findExecutions } from './queries.ts'
import type { Execution, NewExecutionBody } from './schema.ts'
import { findStarted, keyOf, type StartedExecution, startExecutions } from './start.ts'

type Request = NewExecutionBody & {
  teamId: string
  workflowId: string
  idempotencyKey: string | null
}

/** Starts an execution for a request, in one commit with those of other requests. */
export const startForRequest: (app: App, request: Request) => Promise<Execution> = gatheredFor(
  (app, requests) => app.transaction((tx) => startAll(tx, requests)),
  // A statement with many large bodies would take seconds to write and delay every other request.
  { itemsMax: 200, flushesMax: 2, weigh: weightOf, weightMax: 4 * 1024 * 1024 },
)

function weightOf({ triggerData = {}, vars = {} }: Request): number {
  return JSON.stringify(triggerData).length + JSON.stringify(vars).length
}

async function startAll(tx: Tx, requests: Request[]): Promise<(Execution | Error)[]> {
  const workflows = await findWorkflows(tx, requests)
  const isActive = (request: Request) => workflows.get(identityOf(request))?.status === 'active'
  const active = requests.filter(isActive)
  const started = await startExecutions(
    tx,
    active.map((request) => {
      const { teamId, workflowId, triggerData = {}, vars = {}, idempotencyKey } = request
      const { graphId, ownerId } = workflows.get(identityOf(request))!
      return {
        teamId,
        ownerId,
        workflowId,
        graphId,
        triggerData,
        vars,
        // Requests that share a commit have one cause.
        depth: depthHere(),
        idempotencyKey,
        startedBy: 'request',
      }
    }),
  )
  const byRequest = new Map(active.map((request, index) => [request, started[index]]))
  // A known key has its answer, independent of the workflow's present status.
  const others = requests.filter((request) => !isActive(request))
  const known = await findStarted(tx, others)
  for (const request of others) byRequest.set(request, known.get(keyOf(request)))
  const earlier = await findEarlier(tx, byRequest)
  return requests.map((request) => {
    const execution = byRequest.get(request)
    if (execution instanceof DomainError) return execution
    if (!execution) return refusalOf(workflows.get(identityOf(request)))
    const { isNew, ...fields } = execution
    const { workflowId } = request
    return earlier.get(fields.id) ?? { ...fields, workflowId, startedAt: tx.now, completedAt: null, error: null }
  })
}

/** Finds the present state of the executions that had been started before. */
function findEarlier(tx: Tx, started: Map<Request, StartedExecution | DomainError | null | undefined>) {
  const keys = [...started].flatMap(([{ teamId }, execution]) =>
    execution && 'isNew' in execution && !execution.isNew ? [{ teamId, id: execution.id }] : [],
  )
  return keys.length > 0 ? findExecutions(tx.db, keys) : new Map<string, Execution>()
}

function refusalOf(workflow: Workflow | undefined): Error {
  if (!workflow) return notFound('workflow')
  const { status } = workflow
  if (status === 'active') return conflict('The workflow was changed at the same moment. Repeat the request.')
  return conflict(`The workflow is ${status}. Activate it, then run it.`)
}

type Workflow = { teamId: string; ownerId: string; workflowId: string; status: WorkflowStatus; graphId: string }

function identityOf({ teamId, workflowId }: Pick<Workflow, 'teamId' | 'workflowId'>): string {
  return `${teamId} ${workflowId}`
}

async function findWorkflows(tx: Tx, requests: Request[]): Promise<Map<string, Workflow>> {
  const wanted = requests.flatMap(({ teamId, workflowId }) =>
    teamsReadBy(teamId).map((ownerId) => ({ teamId, ownerId, workflowId })),
  )
  const { rows } = await sql<Workflow>`
    select wanted.team_id as "teamId", workflow.team_id as "ownerId", workflow.id as "workflowId", status,
      graph_id as "graphId"
    from ${rowsOf(wanted, { teamId: 'uuid', ownerId: 'uuid', workflowId: 'uuid' }).as('wanted')}
    join workflows as workflow on workflow.team_id = wanted.owner_id and workflow.id = wanted.workflow_id
  `.execute(tx.db)
  return new Map(rows.map((row) => [identityOf(row), row]))
}
