import { sql } from 'kysely'
import { firstIdAt } from '../../platform/ids.ts'
import { fitting } from '../../platform/retention/fitting.ts'
import type { Removal } from '../../platform/retention/removal.ts'
import { type RemovePage, removedRowsMax } from '../../platform/retention/remove-in-team.ts'
import { deleteExecutions } from './forget.ts'

/** Executions of one page. One has up to 200 nodes. */
const executionsMax = 100

/** Removes executions that ended long ago, with their nodes. */
const removeExecutions: RemovePage = async (tx, teamId, { before, after }) => {
  const { rows } = await sql<{ id: string; isOld: boolean; rows: number }>`
    select execution.id, coalesce(completed_at < ${before}, false) as "isOld", (
      1 + (select count(*) from workflow_execution_nodes where team_id = ${teamId} and execution_id = execution.id)
    )::int as rows
    from (
      select id, completed_at from workflow_executions
      where team_id = ${teamId} and id < ${firstIdAt(before)} ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${executionsMax}
    ) as execution
    order by execution.id
  `.execute(tx.db)
  const page = fitting(rows, removedRowsMax)
  const ids = page.filter(({ isOld }) => isOld).map(({ id }) => id)
  await deleteExecutions(tx, teamId, ids)
  return page.length < rows.length || rows.length === executionsMax ? page.at(-1)!.id : null
}

export const executionRemovals: Removal[] = [{ name: 'executions', days: 'executionsDays', remove: removeExecutions }]
