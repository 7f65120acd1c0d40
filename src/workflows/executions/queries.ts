import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { pageLimit } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { type Execution, previewMax } from './schema.ts'

export const executionColumns = sql`
  execution.id, execution.workflow_id as "workflowId", execution.status, execution.node_count as "nodeCount",
  execution.started_at as "startedAt", execution.completed_at as "completedAt"
`
const preview = sql`left(execution.error, ${sql.lit(previewMax)}) as error`

/** The execution as lists show it. Throws `notFound`, also for one of another workflow. */
export async function findExecution(db: Db, teamId: string, workflowId: string, id: string): Promise<Execution> {
  const { rows } = await sql<Execution>`
    select ${executionColumns}, ${preview} from workflow_executions as execution
    join workflows as workflow on workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = execution.workflow_id
    where execution.team_id = ${teamId} and execution.workflow_id = ${workflowId} and execution.id = ${id}
  `.execute(db)
  if (!rows[0]) throw notFound('execution')
  return rows[0]
}

/** Executions by id, as lists show them. */
export async function findExecutions(db: Db, keys: { teamId: string; id: string }[]): Promise<Map<string, Execution>> {
  const { rows } = await sql<Execution>`
    select ${executionColumns}, ${preview}
    from ${rowsOf(keys, { teamId: 'uuid', id: 'uuid' }).as('wanted')}
    join workflow_executions as execution on execution.team_id = wanted.team_id and execution.id = wanted.id
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const everyStatus: Execution['status'][] = ['running', 'completed', 'failed', 'cancelled', 'waiting']

/** The newest executions. Each status is read from its own range of the index, and the ranges are merged. */
export function newestOf(
  list: { teamId: string; workflowId: string; status: Execution['status'] | undefined },
  after: string | null,
  count: number,
): RawBuilder<Execution> {
  return sql<Execution>`
    select execution.* from unnest(${list.status ? [list.status] : everyStatus}::text[]) as wanted (status)
    cross join lateral (
      select ${executionColumns}, ${preview} from workflow_executions as execution
      where execution.team_id = ${list.teamId} and execution.workflow_id = ${list.workflowId}
        and execution.status = wanted.status and execution.id < ${after ?? lastId}
      order by execution.id desc limit ${pageLimit(count)}
    ) as execution
    order by execution.id desc limit ${pageLimit(count)}
  `
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
