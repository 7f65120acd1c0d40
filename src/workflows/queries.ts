import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import { type DomainError, notFound, orNotFound } from '../platform/errors.ts'
import { type Mode, modeIn, teamsReadBy } from '../platform/mode/mode.ts'
import { notOfMode } from '../platform/mode/other-mode.ts'
import { type Page, type PageQuery, readPage } from '../platform/pagination.ts'
import { hasTriggerUrl } from './graph/fitness.ts'
import type { Graph } from './graph/graph.ts'
import { openSecrets } from './graph/secrets.ts'
import type { WorkflowStatus } from './table.ts'

export type Workflow = Graph & {
  id: string
  name: string
  description: string | null
  status: WorkflowStatus
  mode?: 'test'
  triggerUrl: string | null
  triggerKey: string | null
  createdAt: Date
}

type Row = Omit<Workflow, 'mode' | 'triggerUrl' | 'triggerKey'> & {
  mode: Mode
  key: string
  graphId: string
  secrets: string | null
  sizeBytes: number
}

/** Throws `notFound`. */
export async function findWorkflow(app: App, db: Db, teamId: string, id: string): Promise<Workflow> {
  const { rows } = await sql<Row>`
    select ${columns} from ${source} where workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = ${id}
  `.execute(db)
  if (!rows[0]) throw notFound('workflow')
  return present(app, rows[0])
}

/** Newest first. */
export async function listWorkflowsOfTeam(app: App, teamId: string, query: PageQuery): Promise<Page<Workflow>> {
  const rows = sql<Row>`select ${columns} from ${source} where workflow.team_id = any(${teamsReadBy(teamId)}::uuid[])`
  const bytes = sql<number>`"sizeBytes" + coalesce(octet_length(description), 0)`
  const { data, ...page } = await readPage(app, { list: 'workflows', teamId }, query, rows, { bytes })
  return { data: data.map((row) => present(app, row)), ...page }
}

const columns = sql`
  workflow.id, workflow.name, workflow.description, workflow.status, ${modeIn(sql`workflow.team_id`)} as mode, graph.nodes, graph.connections,
  graph.id as "graphId", graph.secrets, graph.size_bytes + coalesce(octet_length(graph.secrets), 0) as "sizeBytes", workflow.trigger_key as key, workflow.created_at as "createdAt"
`
const source = sql`workflows as workflow
  join workflow_graphs as graph on graph.team_id = workflow.team_id and graph.id = workflow.graph_id`

function present(app: App, { key, mode, graphId, secrets, sizeBytes: _size, ...rest }: Row): Workflow {
  const nodes = openSecrets(app.keyring, { id: graphId, nodes: rest.nodes, secrets })
  const fields = { ...rest, nodes, ...(mode === 'test' && { mode }) }
  if (!hasTriggerUrl(fields)) return { ...fields, triggerUrl: null, triggerKey: null }
  return { ...fields, triggerUrl: `${app.publicUrl()}/v1/workflows/triggers/${key}`, triggerKey: key }
}

/** Finds the graph that the next execution would get. Throws as `lockWorkflow` does. */
export async function findGraph(app: App, teamId: string, workflowId: string): Promise<Graph & { id: string }> {
  const graph = await graphOf(app.db, [teamId], workflowId).executeTakeFirst()
  if (!graph) throw await notOwn(app.db, teamId, workflowId)
  return { ...graph, nodes: openSecrets(app.keyring, graph) }
}

/** As `findGraph`, with the team that has the workflow: the live one too in test mode. Throws `notFound`. */
export async function findReadGraph(app: App, teamId: string, workflowId: string) {
  const found = graphOf(app.db, teamsReadBy(teamId), workflowId).executeTakeFirst()
  const graph = await orNotFound('workflow', found)
  return { ...graph, nodes: openSecrets(app.keyring, graph) }
}

function graphOf(db: Db, teamIds: string[], workflowId: string) {
  return db
    .selectFrom('workflows')
    .innerJoin('workflow_graphs', (join) =>
      join
        .onRef('workflow_graphs.team_id', '=', 'workflows.team_id')
        .onRef('workflow_graphs.id', '=', 'workflows.graph_id'),
    )
    .select(['workflows.team_id as teamId', 'workflow_graphs.id', 'nodes', 'connections', 'secrets'])
    .where('workflows.team_id', 'in', teamIds)
    .where('workflows.id', '=', workflowId)
}

type LockedWorkflow = Graph & {
  name: string
  description: string | null
  status: WorkflowStatus
  graphId: string
  graphWasActive: boolean
}

/**
 * Locks a workflow, so that it does not change and no execution of it starts. Throws `notFound`, and `forbidden` if the
 * caller is in test mode and the workflow is live.
 */
export async function lockWorkflow(tx: Tx, teamId: string, id: string): Promise<LockedWorkflow> {
  const { rows } = await sql<Omit<LockedWorkflow, keyof Graph>>`
    select name, description, status, graph_id as "graphId", graph_was_active as "graphWasActive"
    from workflows where team_id = ${teamId} and id = ${id} for update
  `.execute(tx.db)
  if (!rows[0]) throw await notOwn(tx.db, teamId, id)
  // Read once the lock is held, since another edit may have replaced the graph before.
  const graph = await tx.db
    .selectFrom('workflow_graphs')
    .select(['id', 'nodes', 'connections', 'secrets'])
    .where('team_id', '=', teamId)
    .where('id', '=', rows[0].graphId)
    .executeTakeFirstOrThrow()
  const { connections } = graph
  return { ...rows[0], nodes: openSecrets(tx.keyring, graph), connections }
}

/** Returns the refusal to change a workflow that the team does not have in this mode. */
export function notOwn(db: Db, teamId: string, id: string): Promise<DomainError> {
  return notOfMode(db, teamId, id, { table: 'workflows', noun: 'workflow', may: 'run and read' })
}
