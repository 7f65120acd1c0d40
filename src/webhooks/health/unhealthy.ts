import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'

export type Unhealthy = { teamId: string; id: string; healthyAt: Date }

const pageSize = 500

/**
 * Goes through the active webhooks without a success since `before`, a page at a time, in the order of teams and ids.
 */
export async function* pagesOfUnhealthy(
  { db }: Pick<App, 'db'>,
  before: Date,
  isWanted: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<Unhealthy[]> {
  let after: Unhealthy | undefined
  do {
    const [teamId, id] = after ? [after.teamId, after.id] : [null, null]
    const { rows } = await sql<Unhealthy>`
      select team_id as "teamId", id, healthy_at as "healthyAt" from webhooks
      where status = 'active' and healthy_at < ${before} and ${isWanted}
        and (${teamId}::uuid is null or (team_id, id) > (${teamId}::uuid, ${id}::uuid))
      order by team_id, id limit ${pageSize}
    `.execute(db)
    if (rows.length > 0) yield rows
    after = rows.at(-1)
  } while (after)
}
