import type { App, Db } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/pagination.ts'
import { findPage } from './queries.ts'
import type { ExecutionQuery } from './schema.ts'

/** A page, newest first. */
export async function listExecutions(app: App, teamId: string, workflowId: string, query: ExecutionQuery) {
  const { limit = 20, cursor, status } = query
  const key = { list: 'workflow executions', teamId, filters: { workflowId, status } }
  const position = readCursor(app.keyring, key, cursor)
  await refuseUnknownWorkflow(app.db, teamId, workflowId)
  const rows = await findPage(app.db, { teamId, workflowId, status }, position?.id ?? null, limit + 1)
  return pageOf(app.keyring, key, rows, limit)
}

async function refuseUnknownWorkflow(db: Db, teamId: string, id: string): Promise<void> {
  const workflow = await db
    .selectFrom('workflows')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!workflow) throw notFound('workflow')
}
