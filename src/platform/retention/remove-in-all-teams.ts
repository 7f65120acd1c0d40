import { sql } from 'kysely'
import type { RemovalInAllTeams } from './removal.ts'

/** A page takes far less than the 8 s of a statement. */
const pageSize = 5000

/** Makes the removal of a table's oldest rows by a column of times, which has an index. */
export function removeOldInAllTeams(table: string, column: string): RemovalInAllTeams['remove'] {
  return async (tx, before) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before}
        order by ${sql.ref(column)} limit ${pageSize}
      ))
    `.execute(tx.db)
    return Number(numAffectedRows)
  }
}
