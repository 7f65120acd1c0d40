import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { takeTurn } from '../waiting/turns.ts'
import { namesPerson, type Written } from './names-person.ts'
import { candidatePattern, type Person } from './person.ts'

/** Rows of a team that are read in one page. */
const readMax = 500
/** Rows of one page that are handled in one commit; the next page begins after them. */
const foundMax = 200

/** A row that names the person. `key` is the row's primary key without the team, as texts. */
export type Found = { key: string[]; row: Record<string, unknown> }
/** `next` is null on the last page. */
export type FoundPage = { found: Found[]; next: string | null }

/** A kind of rows that may name a person. */
export type Trace = {
  name: string
  /** The tables that are read, each with the column that the index on its pages begins with. */
  reads: { table: string; column: string }[]
  /** Reads a page of the team's rows after `after` (empty at first) and returns those that name the person. */
  find(db: Db, teamId: string, person: Person, after: string): Promise<FoundPage>
  /** Removes the person from these rows, by deleting or changing them. Returns for how many it did. */
  erase(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number>
  /**
   * Returns a row as an export shows it: in the API's shape, without the names of other persons. Null for the row of
   * another person. Rows of a trace without it are in no export.
   */
  show?(showing: Showing, found: Found): Promise<object | null> | object | null
}

/** `room`: the bytes of bodies that the export still takes. */
export type Showing = { db: Db; teamId: string; person: Person; room: { bytes: number } }

export type Rows = {
  name: string
  table: string
  /** The columns of the primary key after the team. */
  key: string[]
  /** The table with the owners of the rows, if the primary key begins with the owner's id in place of the team's. */
  owners?: string
  /** The columns that are searched, and how they are written. */
  searched: Record<string, Written>
  /** A column with a whole message, and how to read the texts in it. */
  message?: { column: string; textsOf(octets: Buffer): string[] }
  /** A condition on the rows of `page`. */
  only?: RawBuilder<unknown>
  /** Columns that are not read. */
  hidden?: string[]
  /** True if columns of the type `json` have texts that `jsonb` refuses: NUL, or half of a surrogate pair. */
  holdsAnyText?: true
  /** Deletes the rows if it is left out. */
  erase?: Trace['erase']
  show?: Trace['show']
}

/** Parts of messages that must be decoded before they can be searched (RFC 2045 6). */
const encodedPart = 'content-transfer-encoding:\\s*(base64|quoted-printable)'

type ReadRow = { key: string[]; row: Record<string, unknown> | null }

/**
 * Makes the trace of a table. Its rows are read in pages along the primary key, so that no index over texts is needed.
 */
export function traceOf(rows: Rows): Trace {
  const { name, table, key, owners, searched, message, only = sql`true`, hidden = [], holdsAnyText, erase, show } = rows
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const keyText = sql`array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}]`
  const text = sql`concat_ws(E'\n', ${sql.join(Object.keys(searched).map((column) => sql`${sql.ref(column)}::text`))})`
  const octets = message && sql`encode(${sql.ref(message.column)}, 'escape')`
  return {
    name,
    reads: [{ table, column: owners ? key[0]! : 'team_id' }],
    async find(db, teamId, person, after) {
      const place =
        after === '' ? sql`` : sql`and (${columns}) > (${sql.join(after.split(' ').map((part) => sql`${part}::uuid`))})`
      const pattern = candidatePattern(person)
      const inMessage = octets ? sql`or ${octets} ~* ${pattern} or ${octets} ~* ${encodedPart}` : sql``
      const isCandidate = sql`coalesce((${text} ~* ${pattern} ${inMessage}) and ${only}, false)`
      const left = ['team_id', ...hidden, ...(message ? [message.column] : [])]
      const row = holdsAnyText ? sql`row_to_json(page)` : sql`to_jsonb(page) - ${left}::text[]`
      const { rows: read } = await sql<ReadRow>`
        select ${keyText} as key, case when ${isCandidate} then ${row} end as row
        from (
          select * from ${sql.table(table)} where team_id = ${teamId} ${place} ${ownedBy(teamId, rows, place)}
          order by ${columns} limit ${readMax}
        ) as page
        order by ${columns}
      `.execute(db)
      const candidates = read.filter(({ row }) => row !== null) as Found[]
      const page = candidates.slice(0, foundMax)
      const found: Found[] = []
      for (const candidate of page) {
        // Requests are answered between two rows.
        await takeTurn()
        if (namedIn(candidate.row, searched, person) || (await namedInMessage(db, teamId, rows, candidate.key, person)))
          found.push(candidate)
      }
      if (candidates.length > foundMax) return { found, next: page.at(-1)!.key.join(' ') }
      // A page has the rows of one owner, so a short one need not be the last.
      const mayHaveMore = owners ? read.length > 0 : read.length === readMax
      return { found, next: mayHaveMore ? read.at(-1)!.key.join(' ') : null }
    },
    erase: erase ?? ((tx, teamId, found) => deleteRows(tx, teamId, { table, key }, found)),
    ...(show && { show }),
  }
}

/** Makes the condition that the rows are those of the next owner that has any. */
function ownedBy(teamId: string, { table, key, owners }: Rows, place: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!owners) return sql``
  const owner = sql.ref(key[0]!)
  return sql`and ${owner} = (
    select owner.id from ${sql.table(owners)} as owner where owner.team_id = ${teamId}
      and exists (select from ${sql.table(table)} where ${owner} = owner.id ${place})
    order by owner.id limit 1
  )`
}

function namedIn(row: Found['row'], searched: Rows['searched'], person: Person): boolean {
  return Object.entries(searched).some(([column, written]) => namesPerson(row[column], written, person))
}

/** Messages are read one by one, since each may be as large as the largest email. */
async function namedInMessage(db: Db, teamId: string, { table, key, message }: Rows, values: string[], person: Person) {
  if (!message) return false
  const isRow = sql.join(
    key.map((column, index) => sql`${sql.ref(column)} = ${values[index]}::uuid`),
    sql` and `,
  )
  const { rows } = await sql<{ octets: Buffer }>`
    select ${sql.ref(message.column)} as octets from ${sql.table(table)} where team_id = ${teamId} and ${isRow}
  `.execute(db)
  return rows.some(({ octets }) => message.textsOf(octets).some((text) => namesPerson(text, 'text', person)))
}

/** Deletes these rows of the table. Returns their number. */
export async function deleteRows(
  tx: Tx,
  teamId: string,
  { table, key }: Pick<Rows, 'table' | 'key'>,
  found: Found[],
): Promise<number> {
  const arrays = key.map((_, index) => sql`${found.map((row) => row.key[index])}::uuid[]`)
  const same = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = gone.${sql.ref(column)}`)
  await sql`
    delete from ${sql.table(table)} using unnest(${sql.join(arrays)}) as gone (${sql.join(key.map((column) => sql.ref(column)))})
    where ${sql.table(table)}.team_id = ${teamId} and ${sql.join(same, sql` and `)}
  `.execute(tx.db)
  return found.length
}
