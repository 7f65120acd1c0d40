import { type Insertable, type SelectType, sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { Database } from '../../database.ts'

/** Rows are sent as one JSON document, so a JSON column takes its value, not its text. */
type JsonRow<Table> = {
  [K in keyof Insertable<Table>]: K extends keyof Table ? JsonValue<Table[K], Insertable<Table>[K]> : never
}
type JsonValue<Column, Inserted> = string extends Inserted
  ? [Extract<SelectType<Column>, object>] extends [never]
    ? Inserted
    : SelectType<Column>
  : Inserted

/**
 * Inserts any number of rows with one statement. Its text does not depend on their number, so that it stays prepared.
 * Every row must have the columns of the first. `bytea` columns are not supported.
 */
export async function insertRows<T extends keyof Database>(
  { send }: Pick<Tx, 'send'>,
  table: T,
  rows: JsonRow<Database[T]>[],
): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await send(sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `)
}
