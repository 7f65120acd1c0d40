import { type Route, routesOf } from '../../platform/http/route.ts'
import { writers } from '../../teams/roles/roles.ts'
import { GraphShown } from '../schema.ts'
import { cancelExecution } from './cancel.ts'
import { getExecution } from './get.ts'
import { getExecutionGraph } from './get-graph.ts'
import { listExecutions } from './list.ts'
import { marked, pageMarked } from './marked.ts'
import { rerunExecution } from './rerun.ts'
import {
  Execution,
  ExecutionDetail,
  ExecutionPage,
  ExecutionParams,
  ExecutionQuery,
  NewExecutionBody,
  RerunBody,
} from './schema.ts'
import { startForRequest } from './start-for-request.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'Workflow executions' },
  { roles: writers, changes: 'workflows' },
)

/** The data of a trigger may be a long list. The caller is known, and the body is limited to 1 MiB. */
const dataMembersMax = 50_000

export const executionRoutes: Route[] = [
  route('POST /v1/workflows/:id/executions', 'startExecution', {
    sdk: 'workflows.executions.start',
    summary: 'Run a workflow',
    description:
      'Starts an execution of an active workflow, whatever its trigger. A test key starts a test execution, also of a live workflow.',
    body: NewExecutionBody,
    membersMax: dataMembersMax,
    bodyOptional: true,
    response: Execution,
    idempotent:
      'A key that was used for the workflow returns the execution that it started, whatever the body, for as long as that execution exists.',
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    async handle({ app, caller, params, body, idempotencyKey }) {
      const request = { ...body, teamId: caller.teamId, workflowId: params.id, idempotencyKey }
      return marked(caller, await startForRequest(app, request))
    },
  }),
  route('GET /v1/workflows/:id/executions', 'listExecutions', {
    sdk: 'workflows.executions.list',
    summary: 'List the executions of a workflow',
    description: 'Newest first.',
    query: ExecutionQuery,
    response: ExecutionPage,
    handle: async ({ app, caller, params, query }) =>
      pageMarked(caller, await listExecutions(app, caller.teamId, params.id, query)),
  }),
  route('GET /v1/workflows/:id/executions/:exec_id', 'getExecution', {
    sdk: 'workflows.executions.get',
    summary: 'Get an execution with its nodes',
    params: ExecutionParams,
    response: ExecutionDetail,
    async handle({ app, caller, params, reply }) {
      const detail = await getExecution(app, caller, params.id, params.exec_id)
      return reply.type('application/json; charset=utf-8').send(detail)
    },
  }),
  route('GET /v1/workflows/:id/executions/:exec_id/graph', 'getExecutionGraph', {
    sdk: 'workflows.executions.graph',
    summary: 'Get the graph of an execution',
    description:
      'The nodes and connections that it began with, whatever the workflow has become. Marketers and viewers see no secrets, as in the workflow.',
    params: ExecutionParams,
    response: GraphShown,
    handle: ({ app, caller, params }) => getExecutionGraph(app, caller, params.id, params.exec_id),
  }),
  route('POST /v1/workflows/:id/executions/:exec_id/rerun', 'rerunExecution', {
    sdk: 'workflows.executions.rerun',
    summary: 'Run an execution again',
    description:
      'Starts a new execution with the trigger data and the graph of a finished one, which does not change. A repeat with the same `Idempotency-Key` gets the answer of the first request.',
    params: ExecutionParams,
    body: RerunBody,
    bodyOptional: true,
    response: Execution,
    status: 201,
    idempotent: true,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    async handle({ app, caller, params, body, idempotencyKey }) {
      const request = { workflowId: params.id, id: params.exec_id, body, idempotencyKey }
      return marked(caller, await rerunExecution(app, caller.teamId, request))
    },
  }),
  route('POST /v1/workflows/:id/executions/:exec_id/cancel', 'cancelExecution', {
    sdk: 'workflows.executions.cancel',
    summary: 'Cancel an execution',
    description:
      'Cancels an execution that is running or waiting. Nodes that have not begun stay pending. A node under way is recorded as failed, since its effect is not known.',
    params: ExecutionParams,
    response: Execution,
    refusals: ['conflict'],
    handle: async ({ app, caller, params }) =>
      marked(caller, await cancelExecution(app, caller.teamId, params.id, params.exec_id)),
  }),
]
