import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { developers, writers } from '../teams/roles/roles.ts'
import { checkWorkflow } from './check.ts'
import { createWorkflow } from './create.ts'
import { deleteWorkflow } from './delete.ts'
import { duplicateWorkflow } from './duplicate.ts'
import { pageShownTo, shownTo } from './hide-secrets.ts'
import { listNodeTypes } from './nodes/list.ts'
import { findWorkflow, listWorkflowsOfTeam } from './queries.ts'
import { rotateTriggerKey } from './rotate-trigger-key.ts'
import { NewWorkflow, NodeTypeList, Workflow, WorkflowChanges, WorkflowCheck, WorkflowList } from './schema.ts'
import { toggleWorkflow } from './toggle.ts'
import { updateWorkflow } from './update.ts'

/** In one body. 200 nodes and 1,000 connections have at most 6,600 members; the rest is for the nodes' configs. */
const graphMembersMax = 20_000

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Workflows' }, { roles: writers, changes: 'workflows' })

export const workflowRoutes: Route[] = [
  route('POST /v1/workflows', 'createWorkflow', {
    summary: 'Create a workflow',
    description: 'Creates an empty draft. Change it to add nodes and connections, then activate it.',
    body: NewWorkflow,
    response: Workflow,
    status: 201,
    refusals: ['conflict'],
    handle: ({ app, caller, body }) => createWorkflow(app, caller.teamId, body),
  }),
  route('GET /v1/workflows', 'listWorkflows', {
    summary: 'List workflows',
    description:
      'All workflows, newest first, with their nodes and connections. In test mode, those of the team too, which a test key runs and does not change.',
    query: ListQuery,
    response: WorkflowList,
    handle: async ({ app, caller, query }) => pageShownTo(caller, await listWorkflowsOfTeam(app, caller.teamId, query)),
  }),
  route('GET /v1/workflows/node-types', 'listNodeTypes', {
    sdk: 'workflows.nodeTypes',
    summary: 'List node types',
    description: 'The types of nodes for workflows, with the JSON Schema of each type’s config.',
    query: ListQuery,
    response: NodeTypeList,
    handle: async ({ app, caller, query }) => listNodeTypes(app, caller.teamId, query),
  }),
  route('GET /v1/workflows/:id', 'getWorkflow', {
    summary: 'Get a workflow',
    description:
      'Marketers and viewers see no secrets: `triggerUrl` and `triggerKey` are null, values of headers and addresses of Slack and Discord are hidden.',
    response: Workflow,
    versioned: true,
    handle: async ({ app, caller, params }) =>
      shownTo(caller, await findWorkflow(app, app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/workflows/:id', 'updateWorkflow', {
    summary: 'Change a workflow',
    description:
      'An active workflow cannot be changed. `nodes` and `connections` replace all present ones; fields that are left out do not change. Only ids, types and the ends of connections are checked; activation checks the rest. Executions keep the graph they began with.',
    body: WorkflowChanges,
    membersMax: graphMembersMax,
    response: Workflow,
    versioned: true,
    refusals: ['conflict'],
    handle: async ({ app, caller, params, body, knownVersions }) =>
      shownTo(caller, await updateWorkflow(app, caller, params.id, body, knownVersions)),
  }),
  route('DELETE /v1/workflows/:id', 'deleteWorkflow', {
    summary: 'Delete a workflow',
    description: 'An active workflow cannot be deleted. Its executions are deleted too; those under way are cancelled.',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteWorkflow(app, caller, params.id),
  }),
  route('POST /v1/workflows/:id/activate', 'activateWorkflow', {
    summary: 'Activate or deactivate a workflow',
    description:
      'Switches between active and inactive; a draft becomes active. Activation checks the workflow and names every fault: it needs exactly one trigger, no cycles, a path from the trigger to every node, branches after conditions only, valid configs, and ids that exist. A key restricted to a domain activates only workflows that send from that domain. Executions under way go on after a deactivation.',
    response: Workflow,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: async ({ app, caller, params }) => shownTo(caller, await toggleWorkflow(app, caller, params.id)),
  }),
  route('POST /v1/workflows/:id/check', 'checkWorkflow', {
    changes: 'nothing',
    summary: 'Check a workflow',
    description:
      'Names every fault that would keep the workflow from being activated, and changes nothing. The list is empty if there is none.',
    response: WorkflowCheck,
    handle: ({ app, caller, params }) => checkWorkflow(app, caller.teamId, params.id),
  }),
  route('POST /v1/workflows/:id/rotate-trigger-key', 'rotateTriggerKey', {
    roles: developers,
    summary: 'Make a new trigger key',
    description:
      'For a trigger URL that is no longer secret. The old URL is 404 at once, so give its callers the new one.',
    response: Workflow,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => rotateTriggerKey(app, caller.teamId, params.id),
  }),
  route('POST /v1/workflows/:id/duplicate', 'duplicateWorkflow', {
    summary: 'Duplicate a workflow',
    description:
      'Creates a draft with the same graph, a new trigger key and no executions, named `<name> (copy)`. In test mode the copy is a test workflow.',
    response: Workflow,
    refusals: ['conflict'],
    handle: async ({ app, caller, params }) => shownTo(caller, await duplicateWorkflow(app, caller, params.id)),
  }),
]
