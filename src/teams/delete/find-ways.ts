import { sql } from 'kysely'
import type { Db } from '../../context.ts'

/** How a team's rows are found in a table: by an index that begins with `column`. */
export type Way = {
  table: string
  column: string
  /** The table with the team's rows that `column` refers to. Left out if `column` is the team itself, or with jobs. */
  owner?: string
}

/** Jobs are walked through by id (`deleteJobsOfTeams`). */
export const jobsWay: Way = { table: 'jobs', column: 'id' }
/** An index of deliveries by team would be written with each event. Those of a webhook are together. */
const ownedWays: Way[] = [{ table: 'webhook_deliveries', column: 'webhook_id', owner: 'webhooks' }]

/**
 * Returns the tables with rows of teams and the way to them: jobs first, so that workers have none to skip, then each
 * table before those that it refers to. They come from the database's catalogue, so that a new one is not forgotten.
 */
export async function findWays(db: Db): Promise<Way[]> {
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
  const owners = new Map(ownedWays.map((way) => [way.table, way]))
  const parents = new Map(rows.map(({ name, parents }) => [name, [...parents, owners.get(name)?.owner ?? []].flat()]))
  const others = childrenFirst(parents).filter((table) => table !== jobsWay.table)
  return [jobsWay, ...others.map((table) => owners.get(table) ?? { table, column: 'team_id' })]
}

function childrenFirst(parents: Map<string, string[]>): string[] {
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
