import type { App, Caller } from '../context.ts'
import { beginning, entryIdOf, placeOf } from './entry-id.ts'
import { readFeed } from './read.ts'
import type { FeedQuery } from './schema.ts'
import { typesOf } from './types-of.ts'

const limitUsual = 100
/** As in other lists. */
const contentMaxBytes = 4 * 1024 * 1024

/** Lists entries, oldest first. The cursor is given on the last page too, because the feed goes on. */
export async function listFeed(app: App, { teamId }: Caller, { after, types, limit = limitUsual }: FeedQuery) {
  const from = after === undefined ? beginning : placeOf('after', after)
  const page = await readFeed(app.db, { teamId, after: from, types: typesOf(types), limit, contentMaxBytes })
  const cursor = page.end === beginning ? null : entryIdOf(page.end)
  return { data: page.entries.map(({ entry }) => entry), cursor, hasMore: page.hasMore }
}
