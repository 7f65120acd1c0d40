import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { type Person, patternOf } from './person.ts'

/** Rows of a team that are read in one page. */
const readMax = 500
/** Rows of one page that are handled in one commit; the next page begins after them. */
const foundMax = 200

/** A row that names the person. `key` is the row's primary key without the team, as texts. */
export type Found = { key: string[]; row: Record<string, unknown> }
export type FoundPage = { found: Found[] /** Null on the last page. */; next: string | null }

/** A kind of rows that may name a person. */
export type Trace = {
  name: string
  /** Reads a page of the team's rows after `after` (empty at first) and returns those that name the person. */
  find(db: Db, teamId: string, person: Person, after: string): Promise<FoundPage>
  /** Removes the person from these rows, by deleting or changing them. Returns for how many it did. */
  erase(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number>
}

type Rows = {
  name: string
  table: string
  /** The columns of the primary key after the team. */
  key: string[]
  /** The text of a row of `page` that is searched. */
  text: RawBuilder<unknown>
  /** A condition on the rows of `page`, beside the text. */
  only?: RawBuilder<unknown>
  /** Columns that an export leaves out. */
  hidden?: string[]
  /** Deletes the rows if it is left out. */
  erase?: Trace['erase']
}

/** Makes the trace of a table. Its rows are read in pages along the primary key, so that no index over texts is needed. */
export function traceOf({ name, table, key, text, only = sql`true`, hidden = [], erase }: Rows): Trace {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const keyText = sql`array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}]`
  return {
    name,
    async find(db, teamId, person, after) {
      const place =
        after === '' ? sql`` : sql`and (${columns}) > (${sql.join(after.split(' ').map((part) => sql`${part}::uuid`))})`
      const isFound = sql`coalesce((${text}) ~* ${patternOf(person)} and ${only}, false)`
      const { rows } = await sql<{ key: string[]; row: Record<string, unknown> | null }>`
        select ${keyText} as key, case when ${isFound} then to_jsonb(page) - ${['team_id', ...hidden]}::text[] end as row
        from (
          select * from ${sql.table(table)} where team_id = ${teamId} ${place} order by ${columns} limit ${readMax}
        ) as page
        order by ${columns}
      `.execute(db)
      const found = rows.filter(({ row }) => row !== null)
      const page = found.slice(0, foundMax).map(({ key, row }) => ({ key, row: row! }))
      if (found.length > foundMax) return { found: page, next: page.at(-1)!.key.join(' ') }
      return { found: page, next: rows.length === readMax ? rows.at(-1)!.key.join(' ') : null }
    },
    erase: erase ?? ((tx, teamId, found) => deleteRows(tx, teamId, { table, key }, found)),
  }
}

async function deleteRows(tx: Tx, teamId: string, { table, key }: Pick<Rows, 'table' | 'key'>, found: Found[]) {
  const arrays = key.map((_, index) => sql`${found.map((row) => row.key[index])}::uuid[]`)
  const same = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = gone.${sql.ref(column)}`)
  await sql`
    delete from ${sql.table(table)} using unnest(${sql.join(arrays)}) as gone (${sql.join(key.map((column) => sql.ref(column)))})
    where ${sql.table(table)}.team_id = ${teamId} and ${sql.join(same, sql` and `)}
  `.execute(tx.db)
  return found.length
}
