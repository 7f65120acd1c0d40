import { sql } from 'kysely'
import type { App } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { counted, type Topic } from './queries.ts'

/** Returns a page, newest first. */
export function listTopics(app: App, teamId: string, query: PageQuery) {
  const rows = sql<Topic>`${counted} where topics.team_id = ${teamId}`
  return readPage(app, { list: 'topics', teamId }, query, rows)
}
