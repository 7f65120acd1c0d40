import { createHash } from 'node:crypto'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { App, Db } from '../context.ts'
import { invalid } from './errors.ts'
import type { Keyring } from './keys/keyring.ts'

/** The most rows of a page. */
export const limitMax = 100
/** The most content of a page, as the database measures it. Limits the memory of an answer. */
const contentMaxBytes = 4 * 1024 * 1024

/** The end of a page: the last id, the time for lists that are ordered by one, and what the first page counted. */
export type Position = { id: string; total?: number | undefined; at?: string | undefined }

/**
 * The identity of a list: its name, team and filters. A cursor is valid only for the list that issued it. A cursor of
 * another list, or a changed one, is refused.
 */
type ListKey = { list: string; teamId: string; filters?: Record<string, unknown> }

export function issueCursor(keyring: Keyring, key: ListKey, position: Position): string {
  const content = Buffer.from(JSON.stringify([position.id, position.total, position.at])).toString('base64url')
  return `${content}.${keyring.sign('cursor', signed(key, content), 16).toString('base64url')}`
}

/** Throws `invalid` for a cursor that this list did not issue. */
export function readCursor(keyring: Keyring, key: ListKey, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [content = '', signature = '', ...rest] = cursor.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const canonical = bytes.toString('base64url') === signature && rest.length === 0
  if (!canonical || bytes.length !== 16 || !keyring.verify('cursor', signed(key, content), bytes)) {
    throw invalid('cursor', 'is not one that this list gave with these filters; start again without it')
  }
  const [id, total, at] = JSON.parse(Buffer.from(content, 'base64url').toString())
  return { id, total: total ?? undefined, at: at ?? undefined }
}

function signed(key: ListKey, content: string): string {
  const filters = Object.entries(key.filters ?? {}).filter(([, value]) => value !== undefined)
  const digest = createHash('sha256').update(JSON.stringify(filters.sort())).digest('base64url')
  return `${key.list}\n${key.teamId}\n${digest}\n${content}`
}

/**
 * The parameters of every list. Other APIs name a page by an id instead of a cursor: the rows behind the row `after`,
 * or those ahead of and next to the row `before`.
 */
export type PageQuery = { limit?: number; cursor?: string; after?: string; before?: string }

export type Page<Row> = { data: Row[]; cursor: string | null; hasMore: boolean }

type PageOptions = {
  /** The rows of a page if the caller gives no `limit`. */
  limitDefault?: number
  /** The timestamp column that the list is ordered by, newest first; `id` alone if left out. */
  newestBy?: string
  /** The size of a row, as SQL over its columns (`bytesOf`), for lists whose rows may be large. */
  bytes?: RawBuilder<number>
}

/**
 * Returns one page of `rows`, newest first. `rows` needs neither order nor limit: both are added here, with the
 * position of the cursor. A query that depends on the position may be given as a function of it.
 */
export async function readPage<Row extends { id: string }>(
  { db, keyring }: Pick<App, 'db' | 'keyring'>,
  key: ListKey,
  query: PageQuery,
  rows: Expression<Row> | ((after: Position | null, count: number) => Expression<Row>),
  options: PageOptions = {},
): Promise<Page<Row>> {
  const { limit = options.limitDefault ?? limitMax, cursor, after: behind, before } = query
  if (behind !== undefined && before !== undefined) throw invalid('before', 'cannot be used together with after')
  const after = behind === undefined ? readCursor(keyring, key, cursor) : { id: behind }
  const wanted = typeof rows === 'function' ? rows(after, limit + 1) : rows
  const taking = { ...options, limit, isOldestFirst: before !== undefined }
  const next = sql<Row>`
    select * from (${wanted}) as wanted ${before === undefined ? isAfter(after, options) : sql`where id > ${before}::uuid`}
    order by ${orderOf(taking)} limit ${pageLimit(limit + 1)}
  `
  const taken = await takeContent(db, next, taking)
  if (before !== undefined) taken.rows.reverse()
  return pageOf(keyring, key, taken, options)
}

const usualLimits = [10, 20, 25, 50, limitMax]
const usualCounts = new Set(usualLimits.flatMap((limit) => [limit, limit + 1]))

/**
 * Writes the `limit` of a page, usual ones as part of the statement. PostgreSQL then keeps the plan: for a number that
 * it is given it may make a new plan each time, which takes longer than to read the page.
 */
export function pageLimit(count: number): RawBuilder<number> {
  return usualCounts.has(count) ? sql.lit(count) : sql`${count}`
}

function isAfter(after: Position | null, { newestBy }: PageOptions): RawBuilder<unknown> {
  if (!after) return sql``
  if (newestBy) return sql`where (${sql.ref(newestBy)}, id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  return sql`where id < ${after.id}::uuid`
}

function orderOf({ newestBy, isOldestFirst }: Omit<TakeOptions, 'limit'>): RawBuilder<unknown> {
  if (isOldestFirst) return sql`id`
  return newestBy ? sql`${sql.ref(newestBy)} desc, id desc` : sql`id desc`
}

/** The rows of a page, and the number that was found. One more than asked for means that there is another page. */
export type Taken<Row> = { rows: Row[]; found: number }

/** The first rows are the newest, or with `isOldestFirst` the oldest. */
type TakeOptions = PageOptions & { limit: number; isOldestFirst?: boolean }

/**
 * Takes the first rows, up to `limit` and `contentMaxBytes`, but at least one. The database decides: a row that does
 * not fit is never read into this process.
 */
export async function takeContent<Row extends { id: string }>(
  db: Db,
  rows: Expression<Row>,
  options: TakeOptions,
): Promise<Taken<Row>> {
  return takenOf<Row>((await sql<Placed<Row>>`${firstOf(rows, options)}`.execute(db)).rows)
}

/** Takes rows as `takeContent` does, and reads a number beside them in the same statement. */
export async function takeCounted<Row extends { id: string }>(
  db: Db,
  rows: Expression<Row>,
  number: RawBuilder<string>,
  options: TakeOptions,
): Promise<Taken<Row> & { total: number }> {
  const both = sql<Placed<Row> & { total: string }>`
    select page.*, number.total from (select ${number} as total) as number left join (${firstOf(rows, options)}) as page on true
    order by "pagePlace"
  `
  const { rows: placed } = await both.execute(db)
  const total = Number(placed[0]!.total)
  const plain = placed.map(({ total: _total, ...row }) => row as unknown as Placed<Row>)
  return { ...takenOf<Row>(plain.filter(({ pagePlace }) => pagePlace !== null)), total }
}

/** An empty page beside a number is one row whose `pagePlace` is null. */
type Placed<Row> = Row & { pagePlace: string | null; pageBytes: string; pageFound: string }

function firstOf<Row>(rows: Expression<Row>, { limit, bytes, ...options }: TakeOptions): RawBuilder<unknown> {
  const order = orderOf(options)
  return sql`
    select * from (
      select listed.*, row_number() over (order by ${order}) as "pagePlace", count(*) over () as "pageFound",
        sum(${bytes ?? sql`0`}) over (order by ${order} rows unbounded preceding) as "pageBytes"
      from (${rows}) as listed
    ) as page
    where "pagePlace" = 1 or ("pagePlace" <= ${pageLimit(limit)} and "pageBytes" <= ${sql.lit(contentMaxBytes)})
    order by "pagePlace"
  `
}

function takenOf<Row>(placed: Placed<Row>[]): Taken<Row> {
  const plain = placed.map(({ pagePlace: _place, pageBytes: _bytes, pageFound: _found, ...row }) => row)
  return { rows: plain as unknown as Row[], found: Number(placed[0]?.pageFound ?? 0) }
}

/** Reads a number that is given as SQL. */
export async function readNumber(db: Db, number: RawBuilder<string>): Promise<number> {
  const { rows } = await sql<{ number: string }>`select ${number} as number`.execute(db)
  return Number(rows[0]!.number)
}

/** Returns the total bytes of these columns. PostgreSQL knows the size of a text without reading it. */
export function bytesOf(...columns: string[]): RawBuilder<number> {
  return sql`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}::text), 0)`),
    sql` + `,
  )}`
}

export function pageOf<Row extends { id: string }>(
  keyring: Keyring,
  key: ListKey,
  { rows, found }: Taken<Row>,
  { newestBy, total }: { newestBy?: string; total?: number } = {},
): Page<Row> {
  const last = rows.at(-1)
  if (!last || found <= rows.length) return { data: rows, cursor: null, hasMore: false }
  const at = newestBy && ((last as Record<string, unknown>)[newestBy] as Date).toISOString()
  return { data: rows, cursor: issueCursor(keyring, key, { id: last.id, total, at }), hasMore: true }
}

/**
 * Returns a page of a list that is read as a whole. `name` identifies its entries. `isBehind` tells whether an entry
 * comes after the one of that name; without it the list is always the same.
 */
export function pageOfFixed<Entry>(
  keyring: Keyring,
  key: ListKey,
  { limit = limitMax, cursor }: PageQuery,
  entries: Entry[],
  name: (entry: Entry) => string,
  isBehind?: (entry: Entry, named: string) => boolean,
): Page<Entry> {
  const after = readCursor(keyring, key, cursor)
  const start = after ? startBehind(entries, after.id, name, isBehind) : 0
  const data = entries.slice(start, start + limit)
  const hasMore = start + limit < entries.length
  return { data, hasMore, cursor: hasMore ? issueCursor(keyring, key, { id: name(data.at(-1)!) }) : null }
}

function startBehind<Entry>(
  entries: Entry[],
  named: string,
  name: (entry: Entry) => string,
  isBehind?: (entry: Entry, named: string) => boolean,
): number {
  const start = entries.findIndex((entry, index) =>
    isBehind ? isBehind(entry, named) : index > 0 && name(entries[index - 1]!) === named,
  )
  return start < 0 ? entries.length : start
}
