import { type Insertable, sql } from 'kysely'
import type { Db } from '../context.ts'
import type { Database } from '../database.ts'

/**
 * Inserts any number of rows with one statement whose text does not depend on how many, so that it stays prepared.
 * Rows travel as JSON: every row has the columns of the first, and none may hold a `bytea`.
 */
export async function insertRows<T extends keyof Database>(db: Db, table: T, rows: Insertable<Database[T]>[]) {
  const first = rows[0]
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(db)
}
