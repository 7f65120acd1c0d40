import type { App, Caller } from '../context.ts'
import { cursorOf, type Place, placeOf } from './entry-id.ts'
import { feedExpired, findLastRemoved, findOldestKept, keptSince, refuseExpired } from './kept.ts'
import { readFeed } from './read.ts'
import type { FeedQuery } from './schema.ts'
import { typesOf } from './types-of.ts'

const limitUsual = 100
/** As in other lists. */
const contentMaxBytes = 4 * 1024 * 1024

/** Lists entries, oldest first. The cursor is given on the last page too, because the feed goes on. */
export async function listFeed(app: App, { teamId }: Caller, { after, types, limit = limitUsual }: FeedQuery) {
  const since = keptSince(app.clock.now())
  const from = after === undefined ? await begin(app, teamId, since) : placeOf('after', after)
  if (after !== undefined) await refuseExpired(app.db, teamId, from, since)
  const page = await readFeed(app.db, { teamId, after: from, types: typesOf(types), limit, contentMaxBytes })
  if (after !== undefined && page.isMissing) throw feedExpired()
  const cursor = page.end === from && after === undefined ? null : cursorOf(page.end)
  return { data: page.entries.map(({ entry }) => entry), cursor, hasMore: page.hasMore }
}

/** Returns the place before the oldest entry. A reader that begins there misses nothing that was removed before. */
async function begin(app: App, teamId: string, since: Date): Promise<Place> {
  const known = await findLastRemoved(app.db, teamId)
  return { ...(await findOldestKept(app.db, teamId, since)), known }
}
