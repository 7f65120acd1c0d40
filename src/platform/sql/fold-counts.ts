import { type RawBuilder, sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import type { Schedule } from '../jobs/job.ts'

/**
 * Decides which changes are folded; the others are dropped. `steps` are parts of the `with` after `changes`, which has
 * the `id` of each change, and `owner`. `condition` is about a row of `changes`.
 */
export type Admission = { steps: RawBuilder<unknown>; condition: RawBuilder<unknown> }

/** Counts that are kept as a total and the changes since, so that no writer waits for a counter. */
type Counts = {
  /** The table of the changes. Its rows have an `id`. */
  changes: string
  /** The table of the totals. Other columns of it have defaults. */
  totals: string
  /** The primary key of the totals. */
  keys: string[]
  /** A key that changes do not have. A change counts for each element of this array column instead. */
  each?: { key: string; of: string }
  /** Array columns of the changes, whose every element costs as much as a change when it is folded. */
  lists?: string[]
  /** The columns of totals, by the column of the changes that is added to each. */
  sums: Record<string, string>
  /** The rows that totals belong to: columns of the changes by the columns of this table. */
  owner?: { table: string; columns: Record<string, string> }
  /** Only with an owner. */
  admission?: Admission
}

/**
 * Changes, and elements of their lists, that a run folds: more than five seconds of writing produce, and few enough to
 * end in the time of a statement. Further changes are folded at the next run, and counted until then.
 */
const changesMax = 100_000
const changesWithListsMax = 50_000

/** Counts that a feature keeps. `run` adds the changes to the totals. */
export type Fold = { changes: string; run(app: App): Promise<void> }

export function foldCounts(counts: Counts): Fold {
  return { changes: counts.changes, run: (app) => app.transaction((tx) => fold(tx, counts)) }
}

/**
 * Adds the changes of all features to their totals every five seconds, so that reading a count reads few rows. It is
 * one schedule, since most runs have nothing to fold. The folds of a feature run one after the other.
 */
export function foldAllCounts(features: Fold[][]): Schedule {
  const tables = features.flat().map(({ changes }) => changes)
  return {
    kind: 'platform.fold-counts',
    everyMs: 5000,
    async run(app) {
      const changed = await findTablesWithRows(app.db, tables)
      const failures: unknown[] = []
      await Promise.all(
        features.map(async (folds) => {
          const due = folds.filter(({ changes }) => changed.has(changes))
          for (const fold of due) await fold.run(app).catch((error) => failures.push(error))
        }),
      )
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function findTablesWithRows(db: Db, tables: string[]): Promise<Set<string>> {
  const looks = tables.map((name) => sql`select ${sql.lit(name)} as name where exists (select from ${sql.table(name)})`)
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function fold(tx: Tx, counts: Counts): Promise<void> {
  const { changes, totals, keys, each, sums, owner, admission } = counts
  const [changed, added] = [Object.keys(sums), Object.values(sums)]
  const all = changed.map((column) => sql`sum(${sql.ref(column)})`)
  const [fromOwner, joinOwner] = owner ? whileOwned(owner) : [sql``, sql``]
  await sql`
    with taken as (
      delete from ${sql.table(changes)}
      where id in (${oldest(counts)})
      returning id, ${list([...keys.map((key) => (key === each?.key ? each.of : key)), ...changed])}
    ), changes as (
      select id, ${sql.join(keys.map((key) => (key === each?.key ? sql`unnest(${sql.ref(each.of)}) as ${sql.ref(key)}` : sql.ref(key))))},
        ${list(changed)} from taken
    )
    ${fromOwner}${admission ? sql`, ${admission.steps}` : sql``}
    insert into ${sql.table(totals)} (${list([...keys, ...added])})
    select ${list(keys, 'changes')}, ${sql.join(all)} from changes ${joinOwner}
    ${admission ? sql`where ${admission.condition}` : sql``}
    group by ${list(keys, 'changes')}
    having ${sql.join(
      all.map((sum) => sql`${sum} <> 0`),
      sql` or `,
    )}
    order by ${list(keys, 'changes')}
    on conflict (${list(keys)}) do update set ${sql.join(
      added.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${totals}.${column}`)} + excluded.${sql.ref(column)}`),
    )}
  `.execute(tx.db)
}

/** Selects the ids of the changes to fold: the oldest, and at least one. */
function oldest({ changes, lists }: Counts): RawBuilder<unknown> {
  if (!lists) return sql`select id from ${sql.table(changes)} order by id limit ${changesMax}`
  const elements = lists.map((column) => sql`coalesce(cardinality(${sql.ref(column)}), 0)`)
  return sql`
    select id from (
      select id, sum(work) over (order by id) - work as before from (
        select id, 1 + ${sql.join(elements, sql` + `)} as work from ${sql.table(changes)} order by id limit ${changesWithListsMax}
      ) as first
    ) as weighed where before < ${changesWithListsMax}
  `
}

/** Drops changes of deleted owners. Locks the other owners until the commit. */
function whileOwned({ table, columns }: NonNullable<Counts['owner']>): RawBuilder<unknown>[] {
  const names = Object.keys(columns)
  const same = Object.entries(columns).map(([own, key]) => sql`owner.${sql.ref(own)} = changes.${sql.ref(key)}`)
  return [
    sql`, owner as (
      select ${list(names)} from ${sql.table(table)}
      where (${list(names)}) in (select ${list(Object.values(columns))} from changes)
      order by ${list(names)} for key share
    )`,
    sql`join owner on ${sql.join(same, sql` and `)}`,
  ]
}

function list(columns: string[], table?: string): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(table ? `${table}.${column}` : column)))
}
