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
 * makes `select id from … where …`, over at least the rows of the list.
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
  const first = rows[limit]?.id
  if (rows.length === 0) return { data: [], hasMore: false }
  const page = await read({ limit: Math.min(limit, rows.length), ...(first && { cursor: cursorAt({ id: first }) }) })
  return { data: page.data.filter(({ id }) => id > before.toLowerCase()), hasMore: first !== undefined }
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
