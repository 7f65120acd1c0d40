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
  return {
    as(alias: string, position?: string): RawBuilder<unknown> {
      const arrays = types.map(([name]) => rows.map((row) => row[name] ?? null))
      return sql(textAround(types, alias, position), ...arrays)
    },
  }
}

/** Made once for each code path, since building the text takes longer than the values. */
const texts = new Map<string, TemplateStringsArray>()

/** Returns the text of `rowsOf` as it stands around its arrays. */
function textAround(types: [string, string][], alias: string, position = ''): TemplateStringsArray {
  const key = `${alias} ${position} ${types}`
  const known = texts.get(key)
  if (known) return known
  const casts = types.map(([, type], index) => `::${type}[]${index === 0 ? ')' : ''}`)
  const names = [...types.map(([name]) => snakeCase(name)), ...(position === '' ? [] : [position])]
  const list = names.map((name) => `"${name}"`).join(', ')
  const end = `)${position === '' ? '' : ' with ordinality'} as "${alias}" (${list})`
  const made = ['unnest((select ', ...casts.slice(0, -1).map((cast) => `${cast}, `), `${casts.at(-1)}${end}`]
  // Kysely reads nothing of a template but its strings, so a list of them serves.
  const text = made as unknown as TemplateStringsArray
  texts.set(key, text)
  return text
}

/**
 * An array of a statement, such as `id = any(${opaqueArray(ids, 'uuid')})`, that the planner cannot look into. See
 * `rowsOf`.
 */
export function opaqueArray<Item extends string>(values: readonly Item[], type: 'uuid' | 'text'): RawBuilder<Item[]> {
  const array = sql.raw(`${type}[]`)
  return sql`(select ${values}::${array})::${array}`
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
