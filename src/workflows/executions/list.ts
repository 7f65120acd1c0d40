import type { App, Db } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { readPage } from '../../platform/pagination.ts'
import { newestOf } from './queries.ts'
import type { ExecutionQuery } from './schema.ts'

/** A page, newest first. */
export async function listExecutions(
  app: App,
  teamId: string,
  workflowId: string,
  { status, ...query }: ExecutionQuery,
) {
  await refuseUnknownWorkflow(app.db, teamId, workflowId)
  const list = { teamId, workflowId, status }
  const key = { list: 'workflow executions', teamId, filters: { workflowId, status } }
  return readPage(app, key, query, (after, count) => newestOf(list, after?.id ?? null, count), { limitDefault: 20 })
}

async function refuseUnknownWorkflow(db: Db, teamId: string, id: string): Promise<void> {
  await db
    .selectFrom('workflows')
    .select('id')
    .where('team_id', '=', (eb) => eb.fn.any(eb.val(teamsReadBy(teamId))))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('workflow'))
}
