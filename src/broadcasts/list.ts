import { sql } from 'kysely'
import type { App, Caller } from '../context.ts'
import { bytesOf, type Page, type PageQuery, readPage } from '../platform/pagination.ts'
import { broadcastsSeenBy } from './get.ts'
import { broadcastColumns, broadcastSource, isSeen } from './queries.ts'
import type { Broadcast } from './schema.ts'

/** Returns a page, newest first, with the bodies. */
export async function listBroadcasts(app: App, caller: Caller, query: PageQuery): Promise<Page<Broadcast>> {
  const { teamId } = caller
  const seen = await broadcastsSeenBy(app, caller)
  const rows = sql<Broadcast>`
    select ${broadcastColumns} from ${broadcastSource} where broadcast.team_id = ${teamId} and ${isSeen(seen)}
  `
  const key = { list: 'broadcasts', teamId, filters: { domainName: seen.domainName ?? undefined } }
  return readPage(app, key, query, rows, { bytes: bytesOf('html', 'text', 'subject', 'from', 'replyTo') })
}
