import type { App, Caller } from '../context.ts'
import { entryIdOf, placeOf } from './entry-id.ts'
import { findOldestKept, keptSince, refuseExpired } from './kept.ts'
import { readFeed } from './read.ts'
import type { FeedQuery } from './schema.ts'
import { typesOf } from './types-of.ts'

const limitUsual = 100
/** As in other lists. */
const contentMaxBytes = 4 * 1024 * 1024

/** Lists entries, oldest first. The cursor is given on the last page too, because the feed goes on. */
export async function listFeed(app: App, { teamId }: Caller, { after, types, limit = limitUsual }: FeedQuery) {
  const since = keptSince(app.clock.now())
  const from = after === undefined ? await findOldestKept(app.db, teamId, since) : placeOf('after', after)
  if (after !== undefined) await refuseExpired(app.db, teamId, from, since)
  const page = await readFeed(app.db, { teamId, after: from, types: typesOf(types), limit, contentMaxBytes })
  const cursor = page.end === from && after === undefined ? null : entryIdOf(page.end)
  return { data: page.entries.map(({ entry }) => entry), cursor, hasMore: page.hasMore }
}
