import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import { Strict } from '../platform/http/schema/schema.ts'
import { cursorAt, limitMax } from '../platform/pagination.ts'

const Id = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

export const pageFields = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: 20 })),
  after: Id('The rows behind the one with this id.'),
  before: Id('The rows ahead of the one with this id.'),
}
export const PageQuery = Strict(pageFields)
export type PageQuery = Static<typeof PageQuery>

type Row = { id: string }
type OurPage<R> = { data: R[]; hasMore: boolean }

export function listOf(data: object[], hasMore = false) {
  return { object: 'list', has_more: hasMore, data }
}

/**
 * Reads a page of one of our lists, which are newest first, by the id that it begins behind or ends ahead of. `ids`
 * makes `select id from … where …`, over the rows that the caller sees in the list.
 */
export async function readTheirPage<R extends Row>(
  app: App,
  { limit = 20, after, before }: PageQuery,
  ids: RawBuilder<unknown>,
  read: (page: { limit: number; cursor?: string }) => Promise<OurPage<R>>,
): Promise<OurPage<R>> {
  if (after !== undefined && before !== undefined) throw invalid('before', 'cannot be used together with after')
  if (before === undefined) return read({ limit, ...(after !== undefined && { cursor: cursorAt({ id: after }) }) })
  const { rows } = await sql<Row>`
    select id from (${ids}) as listed where id > ${before} order by id limit ${limit + 1}
  `.execute(app.db)
  return readAhead(
    rows.map(({ id }) => id),
    { limit, before: before.toLowerCase() },
    read,
  )
}

/**
 * Reads the rows next to `before`, up to the limit. `ahead` are their ids, oldest first, and one more if there is one.
 * Our lists cut a long page at its old end, which are the rows next to `before`, so a cut page is read again with half
 * the rows: seven times at most, as one row is never cut.
 */
async function readAhead<R extends Row>(
  ahead: string[],
  { limit, before }: { limit: number; before: string },
  read: (page: { limit: number; cursor?: string }) => Promise<OurPage<R>>,
): Promise<OurPage<R>> {
  const count = Math.min(limit, ahead.length)
  if (count === 0) return { data: [], hasMore: false }
  const first = ahead[count]
  const page = await read({ limit: count, ...(first && { cursor: cursorAt({ id: first }) }) })
  const oldest = page.data.at(-1)
  const isCut = page.hasMore && page.data.length < count && oldest !== undefined && oldest.id > before
  if (isCut && count > 1) return readAhead(ahead, { limit: Math.ceil(count / 2), before }, read)
  return { data: page.data.filter(({ id }) => id > before), hasMore: first !== undefined }
}

/** Returns a page of a list that is known as a whole, newest first. */
export function pageOfAll<R extends Row>(all: R[], { limit = 20, after, before }: PageQuery): OurPage<R> {
  if (after !== undefined && before !== undefined) throw invalid('before', 'cannot be used together with after')
  const isWanted = (id: string) =>
    before ? id > before.toLowerCase() : after === undefined || id < after.toLowerCase()
  const rows = all.filter(({ id }) => isWanted(id))
  return { data: before ? rows.slice(-limit) : rows.slice(0, limit), hasMore: rows.length > limit }
}

/** Reads a page of rows that have no list of ours, newest first. `rows` makes `select id, … from … where …`. */
export async function readRows<R extends Row>(
  app: App,
  { limit = 20, after, before }: PageQuery,
  rows: RawBuilder<R>,
): Promise<OurPage<R>> {
  if (after !== undefined && before !== undefined) throw invalid('before', 'cannot be used together with after')
  const where = before ? sql`where id > ${before}` : after ? sql`where id < ${after}` : sql``
  const order = before ? sql`order by id` : sql`order by id desc`
  const { rows: found } = await sql<R>`
    select * from (${rows}) as listed ${where} ${order} limit ${limit + 1}
  `.execute(app.db)
  const data = found.slice(0, limit)
  return { data: before ? data.reverse() : data, hasMore: found.length > limit }
}
