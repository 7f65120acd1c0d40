import { sql } from 'kysely'
import type { App } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { counted, type Segment } from './queries.ts'

/** Returns a page, newest first. */
export function listSegments(app: App, teamId: string, query: PageQuery) {
  const rows = sql<Segment>`${counted} where segments.team_id = ${teamId}`
  return readPage(app, { list: 'segments', teamId }, query, rows)
}
