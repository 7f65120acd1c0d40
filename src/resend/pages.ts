import type { RawBuilder } from 'kysely'
import Type, { type Static } from 'typebox'
import type { App, Db } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { Strict } from '../platform/http/schema/schema.ts'
import { limitMax, readPage } from '../platform/pagination.ts'

const Id = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

export const pageFields = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: 20 })),
  after: Id('The rows behind the one with this id.'),
  before: Id('The rows ahead of the one with this id.'),
}
export const PageQuery = Strict(pageFields)
export type PageQuery = Static<typeof PageQuery>

type Row = { id: string }
type Options = Parameters<typeof readPage>[4]

/** Reads a page of rows that have no list of ours. `rows` makes `select id, … from … where …`. */
export function readRows<R extends Row>(
  app: App,
  teamId: string,
  query: PageQuery,
  rows: RawBuilder<R>,
  options?: Options,
) {
  return readPage(app, { list: 'resend', teamId }, query, rows, options)
}

/** Reads one row. Throws `notFound`. */
export async function readRow<R>(db: Db, noun: string, row: RawBuilder<R>): Promise<R> {
  const { rows } = await row.execute(db)
  if (rows[0] === undefined) throw notFound(noun)
  return rows[0]
}
