import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { deleteJobsOfTeams } from '../../platform/jobs/delete-of-teams.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { testTeamOf } from '../../platform/mode/mode.ts'
import { findWays, jobsWay, type Way } from './find-ways.ts'
import { removeTeamJob } from './jobs.ts'

/** The most rows of a table that one commit removes. */
const pageMax = 1000
/** The commits of one run that removed or looked at a page. Then other jobs have their turn. */
const pagesMax = 50

/**
 * Removes the rows of a deleted team from every table with a `team_id`, and the team last. It goes over the tables
 * until a pass has found nothing, since late requests may add rows. A process that takes it over goes on at the table
 * of the last turn.
 */
export const removeDeletedTeam = defineJob(removeTeamJob, {
  async run(app, { key, payload }) {
    const ids = [key, testTeamOf(key)]
    const ways = await findWays(app.db)
    let { table, after = '0', hasRemoved = false } = payload
    for (let pages = 0; pages < pagesMax; ) {
      const at = table === undefined ? 0 : ways.findIndex((way) => way.table === table)
      const way = ways[at] ?? ways[0]!
      const page = await app.transaction((tx) => removePage(tx, way, ids, after))
      hasRemoved ||= page.removed > 0
      if (page.after !== null) {
        pages++
        table = way.table
        after = page.after
        continue
      }
      table = ways[at + 1]?.table
      after = '0'
      if (table !== undefined) continue
      if (!hasRemoved) return void (await app.transaction((tx) => deleteTeamRows(tx, ids)))
      hasRemoved = false
    }
    return { runAt: app.clock.now(), payload: { ...(table && { table }), after, hasRemoved } }
  },
  retryDelaysMs: [1000, 10_000, 60_000],
  concurrency: 1,
})

/** `after`: where the next page of the table begins. Null if the table has no further one. */
type Page = { removed: number; after: string | null }

function removePage(tx: Tx, way: Way, ids: string[], after: string): Promise<Page> {
  return way === jobsWay ? deleteJobsOfTeams(tx, ids, after, pageMax) : deletePage(tx, way, ids)
}

async function deletePage(tx: Tx, { table, column, owner }: Way, ids: string[]): Promise<Page> {
  // The database refuses to remove audit entries without this.
  await sql`select set_config('posthorn.audit_removal', 'on', true)`.execute(tx.db)
  const own = sql`team_id = any(${ids}::uuid[])`
  // One owner that still has rows, so that the page is read from one place of the index.
  const found = owner
    ? sql`${sql.ref(column)} = (
        select id from ${sql.table(owner)} as owner where ${own}
          and exists (select from ${sql.table(table)} as held where held.${sql.ref(column)} = owner.id)
        limit 1
      )`
    : own
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${own} and ctid = any(array(
      select ctid from ${sql.table(table)} where ${found} limit ${pageMax}
    ))
  `.execute(tx.db)
  const removed = Number(numAffectedRows ?? 0)
  return { removed, after: removed === 0 ? null : '0' }
}

/** Deletes the teams' own rows. Rows that a late request added meanwhile go with them. */
async function deleteTeamRows(tx: Tx, ids: string[]): Promise<void> {
  await tx.db.deleteFrom('teams').where('id', 'in', ids).where('deleted_at', 'is not', null).execute()
}
