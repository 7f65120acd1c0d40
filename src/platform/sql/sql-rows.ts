import { type RawBuilder, sql } from 'kysely'

/** The TypeScript type of each PostgreSQL type. JSON is passed as its text. */
type Values = {
  uuid: string
  text: string
  bool: boolean
  smallint: number
  int: number
  bigint: string | number
  numeric: string | number
  float8: number
  date: string
  timestamptz: Date
  json: string
  jsonb: string
  bytea: Buffer
}

type TypeOf<Value> = { [T in keyof Values]: NonNullable<Value> extends Values[T] ? T : never }[keyof Values]
type ColumnsOf<Row> = { [K in keyof Row]?: TypeOf<Row[K]> }

/**
 * Rows as a table of a statement: `from ${rowsOf(moves, { teamId: 'uuid', status: 'text' }).as('new')}` is
 * `from unnest((select $1::uuid[]), $2::text[]) as new (team_id, status)`. The text depends on the columns alone, so
 * the statement stays prepared however many rows there are. Its plan stays too: the `select` hides the number of rows
 * from the planner, which would otherwise plan anew for each execution with few rows, and that takes longer than the
 * execution. Absent values are null. `.as('new', 'position')` adds the column `position`, which numbers the rows from
 * 1.
 */
export function rowsOf<Row extends object>(rows: readonly Row[], columns: ColumnsOf<Row>) {
  const types = Object.entries(columns) as [keyof Row & string, string][]
  const arrays = types.map(([name, type], index) => {
    const array = sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(type)}[]`
    return index === 0 ? sql`(select ${array})` : array
  })
  const names = types.map(([name]) => sql.ref(snakeCase(name)))
  return {
    as(alias: string, position?: string): RawBuilder<unknown> {
      const table = sql`unnest(${sql.join(arrays)})`
      if (position === undefined) return sql`${table} as ${sql.ref(alias)} (${sql.join(names)})`
      return sql`${table} with ordinality as ${sql.ref(alias)} (${sql.join([...names, sql.ref(position)])})`
    },
  }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
