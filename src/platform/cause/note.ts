import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { currentCause } from './cause.ts'

/** Records which execution made these emails or broadcasts, if one did: their later effects belong to its chain. */
export async function noteCaused(tx: Tx, made: { teamId: string; id: string }[]): SentAtOnce {
  const cause = currentCause()
  if (!cause || made.length === 0) return
  await tx.send(sql`
    insert into caused_resources (team_id, resource_id, execution_id)
    select team_id, id, ${cause.executionId}
    from ${rowsOf(made, { teamId: 'uuid', id: 'uuid' }).as('made')}
    on conflict (team_id, resource_id) do update set execution_id = excluded.execution_id
  `)
}

/** Removes the records of executions that are deleted. */
export async function forgetCaused(tx: Tx, teamId: string, executionIds: string[]): Promise<void> {
  await sql`
    delete from caused_resources where team_id = ${teamId} and execution_id = any(${executionIds}::uuid[])
  `.execute(tx.db)
}

/** Removes the records of emails or broadcasts that are deleted. */
export async function forgetCausedResources(tx: Tx, teamId: string, ids: string[]): Promise<void> {
  await sql`
    delete from caused_resources where team_id = ${teamId} and resource_id = any(${ids}::uuid[])
  `.execute(tx.db)
}
