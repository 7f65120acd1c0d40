import { type Route, route } from '../platform/http/route.ts'
import { Deleted, IdParams, ListQuery } from '../platform/http/schema.ts'
import { createWorkflow } from './create.ts'
import { deleteWorkflow } from './delete.ts'
import { duplicateWorkflow } from './duplicate.ts'
import { listNodeTypes } from './nodes/list.ts'
import { findWorkflow, listWorkflowsOfTeam } from './queries.ts'
import { rotateTriggerKey } from './rotate-trigger-key.ts'
import { NewWorkflow, NodeTypeList, Workflow, WorkflowChanges, WorkflowList } from './schema.ts'
import { toggleWorkflow } from './toggle.ts'
import { updateWorkflow } from './update.ts'

/** In one body. 200 nodes and 1,000 connections have at most 6,600 members; the rest is for the nodes' configs. */
const graphMembersMax = 20_000

const shared = { access: 'full', tag: 'Workflows' } as const

export const routes: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/v1/workflows',
    summary: 'Create a workflow',
    description: 'An empty draft. Put nodes and connections into it by changing it, then activate it.',
    body: NewWorkflow,
    response: Workflow,
    status: 201,
    refusals: ['conflict'],
    handle: ({ app, caller, body }) => createWorkflow(app, caller.teamId, body),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/workflows',
    summary: 'List workflows',
    description: 'Newest first, with their nodes and connections.',
    query: ListQuery,
    response: WorkflowList,
    handle: ({ app, caller, query }) => listWorkflowsOfTeam(app, caller.teamId, query),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/workflows/node-types',
    summary: 'List node types',
    description: 'What a workflow can be made of, with the JSON Schema of each type’s config.',
    query: ListQuery,
    response: NodeTypeList,
    handle: async ({ app, caller, query }) => listNodeTypes(app, caller.teamId, query),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/workflows/:id',
    summary: 'Get a workflow',
    params: IdParams,
    response: Workflow,
    handle: ({ app, caller, params }) => findWorkflow(app, app.db, caller.teamId, params.id),
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/v1/workflows/:id',
    summary: 'Change a workflow',
    description:
      'Not while it is active. `nodes` and `connections` each replace all there are; what is left out stays. The graph need not be fit to run yet: ids, types and the ends of connections are checked, the rest when it is activated. Executions keep the graph they began with.',
    params: IdParams,
    body: WorkflowChanges,
    membersMax: graphMembersMax,
    response: Workflow,
    refusals: ['conflict'],
    handle: ({ app, caller, params, body }) => updateWorkflow(app, caller.teamId, params.id, body),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/v1/workflows/:id',
    summary: 'Delete a workflow',
    description: 'Not while it is active. Its executions go with it; those under way are cancelled.',
    params: IdParams,
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteWorkflow(app, caller.teamId, params.id),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/workflows/:id/activate',
    summary: 'Activate or deactivate a workflow',
    description:
      'Switches between active and inactive, a draft to active. Before it is switched on everything is checked, and every fault is named: exactly one trigger, no cycles, every node reachable from the trigger, branches where a condition decides and nowhere else, valid configs, and that what they name is there. A key restricted to a domain switches on only what sends from that domain. Executions under way go on when it is switched off.',
    params: IdParams,
    response: Workflow,
    refusals: ['conflict', 'unprocessable'],
    handle: ({ app, caller, params }) => toggleWorkflow(app, caller, params.id),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/workflows/:id/rotate-trigger-key',
    summary: 'Make a new trigger key',
    description:
      'For a trigger URL that became known. In effect at once: the old URL is 404, so tell its callers the new one.',
    params: IdParams,
    response: Workflow,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => rotateTriggerKey(app, caller.teamId, params.id),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/workflows/:id/duplicate',
    summary: 'Duplicate a workflow',
    description: 'A new draft with the same graph, a trigger key of its own and no executions, named `<name> (copy)`.',
    params: IdParams,
    response: Workflow,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => duplicateWorkflow(app, caller.teamId, params.id),
  }),
]
