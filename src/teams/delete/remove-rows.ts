import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { testTeamOf } from '../../platform/mode.ts'
import { removeTeamJob } from './jobs.ts'

/** The most rows of a table that one commit removes. */
const pageMax = 1000
/** The commits of one run. Then other jobs have their turn. */
const pagesMax = 50

/**
 * Removes the rows of a deleted team from every table with a `team_id`, those that refer to others first, and the team last.
 * The tables come from the database's catalogue, so that a new one is not forgotten. What is left says where to go on after a kill.
 */
export const removeDeletedTeam = defineJob(removeTeamJob, {
  async run(app, { key }) {
    const ids = [key, testTeamOf(key)]
    const tables = await findTables(app.db)
    for (let pages = 0; pages < pagesMax; pages++) {
      if ((await removePage(app, tables, ids)) > 0) continue
      await app.transaction((tx) => deleteTeamRows(tx, ids))
      return
    }
    return { runAt: app.clock.now() }
  },
  retryDelaysMs: [1000, 10_000, 60_000],
  concurrency: 1,
})

/** Removes a page of the first table that has rows of the teams, in one commit. Returns the number of rows. */
async function removePage(app: App, tables: string[], ids: string[]): Promise<number> {
  for (const table of tables) {
    const removed = await app.transaction((tx) => deletePage(tx, table, ids))
    if (removed > 0) return removed
  }
  return 0
}

async function deletePage(tx: Tx, table: string, ids: string[]): Promise<number> {
  // The database refuses to remove audit entries without this.
  await sql`select set_config('posthorn.audit_removal', 'on', true)`.execute(tx.db)
  const result = await sql`
    delete from ${sql.table(table)} where team_id = any(${ids}::uuid[]) and ctid = any(array(
      select ctid from ${sql.table(table)} where team_id = any(${ids}::uuid[]) limit ${pageMax}
    ))
  `.execute(tx.db)
  return Number(result.numAffectedRows ?? 0)
}

/** Deletes the teams' own rows. Rows that a late request added meanwhile go with them. */
async function deleteTeamRows(tx: Tx, ids: string[]): Promise<void> {
  await tx.db.deleteFrom('teams').where('id', 'in', ids).where('deleted_at', 'is not', null).execute()
}

/** Returns the tables with a `team_id`, each before the tables that it refers to. */
async function findTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select held.relname as name, array(
      select distinct parent.relname::text from pg_constraint as refers
      join pg_class as parent on parent.oid = refers.confrelid
      where refers.conrelid = held.oid and refers.contype = 'f' and parent.oid <> held.oid
    ) as parents
    from pg_class as held
    join pg_attribute as attribute on attribute.attrelid = held.oid and attribute.attname = 'team_id'
    where held.relnamespace = current_schema()::regnamespace and held.relkind in ('r', 'p') and not held.relispartition
      and not attribute.attisdropped
    order by held.relname
  `.execute(db)
  const parents = new Map(rows.map((row) => [row.name, row.parents]))
  const parentsFirst = new Set<string>()
  const visiting = new Set<string>()
  function visit(name: string): void {
    if (!parents.has(name) || visiting.has(name)) return
    visiting.add(name)
    for (const parent of parents.get(name)!) visit(parent)
    parentsFirst.add(name)
  }
  for (const name of parents.keys()) visit(name)
  return [...parentsFirst].reverse()
}
