import { sql } from 'kysely'
import type { App, Caller } from '../context.ts'
import { bytesOf, type Page, type PageQuery, readPage } from '../platform/pagination.ts'
import { domainNameSeenBy } from './get.ts'
import { broadcastColumns, broadcastSource } from './queries.ts'
import type { Broadcast } from './schema.ts'

/** Returns a page, newest first, with the bodies. */
export async function listBroadcasts(app: App, caller: Caller, query: PageQuery): Promise<Page<Broadcast>> {
  const { teamId } = caller
  const domainName = await domainNameSeenBy(app, caller)
  const ofDomain = domainName === null ? sql`` : sql`and domain_name = ${domainName}`
  const rows = sql<Broadcast>`
    select ${broadcastColumns} from ${broadcastSource} where broadcast.team_id = ${teamId} ${ofDomain}
  `
  const key = { list: 'broadcasts', teamId, filters: { domainName: domainName ?? undefined } }
  return readPage(app, key, query, rows, { bytes: bytesOf('html', 'text', 'subject', 'from', 'replyTo') })
}
