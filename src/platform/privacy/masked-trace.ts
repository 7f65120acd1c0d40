import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { maskPerson } from './mask-person.ts'
import type { Person } from './person.ts'
import { type Found, type Rows, type Trace, traceOf } from './trace.ts'

/** The columns that are searched are masked. Those of `key` are ids. */
type Masked = Pick<Rows, 'name' | 'table' | 'key' | 'searched' | 'only'>

/**
 * Makes the trace of rows that are not the person's, such as what the team has written: `erased` takes the place of the
 * address in them. An export leaves them out.
 */
export function maskedTraceOf(masked: Masked): Trace {
  return traceOf({ ...masked, erase: (tx, teamId, found, person) => maskRows(tx, teamId, masked, found, person) })
}

/** Masks the columns of these rows as they are now. Returns the number of rows. */
export async function maskRows(
  tx: Tx,
  teamId: string,
  { table, key, searched }: Masked,
  found: Found[],
  person: Person,
): Promise<number> {
  for (const row of found) {
    const isRow = sql`team_id = ${teamId} and ${sql.join(
      key.map((column, at) => sql`${sql.ref(column)} = ${row.key[at]}::uuid`),
      sql` and `,
    )}`
    const columns = sql.join(Object.keys(searched).map((column) => sql.ref(column)))
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(table)} where ${isRow} for no key update
    `.execute(tx.db)
    for (const current of rows) {
      const changes = Object.entries(searched).map(([column, written]) => {
        const value = maskPerson(current[column], written, person)
        return sql`${sql.ref(column)} = ${written === 'json' && value !== null ? JSON.stringify(value) : value}`
      })
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${isRow}`.execute(tx.db)
    }
  }
  return found.length
}
