import { CompiledQuery, type Insertable, type SelectType } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
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
): SentAtOnce {
  const first = rows[0]
  if (!first) return
  const text = textOf(table, Object.keys(first))
  await send({ compile: () => CompiledQuery.raw(text, [JSON.stringify(rows)]) })
}

/** Made once for each code path, since building the text takes several times as long as writing the rows as JSON. */
const texts = new Map<string, string>()

function textOf(table: string, columns: string[]): string {
  const key = `${table} ${columns}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const names = columns.map((column) => `"${column}"`).join(', ')
  const text = `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1::json)`
  texts.set(key, text)
  return text
}
