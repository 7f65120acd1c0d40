import type { App, Db } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import { pageOf, readCursor } from '../platform/pagination.ts'
import { findSegment } from '../segments/group.ts'
import { findTopic } from '../topics/group.ts'
import { isTopicOptedInByDefault } from '../topics/opted-in-by-default.ts'
import { withMemberships } from './memberships/memberships.ts'
import { type ContactFilter, listContactsOfTeam } from './queries.ts'
import type { ContactQuery } from './schema.ts'
import { searchContacts } from './search.ts'

/** Returns a page, newest first. Throws `invalid` for a segment or topic that the team does not have. */
export async function listContacts(app: App, teamId: string, { limit = 20, cursor, search, ...filter }: ContactQuery) {
  const key = { list: 'contacts', teamId, filters: { search, ...filter } }
  const before = readCursor(app.keyring, key, cursor)?.id ?? null
  const page = { ...(await findFilter(app.db, teamId, filter)), teamId, before, limit }
  const taken = search ? await searchContacts(app.db, search, page) : await listContactsOfTeam(app.db, page)
  const { data, ...rest } = pageOf(app.keyring, key, taken)
  return { data: await withMemberships(app.db, teamId, data), ...rest }
}

/**
 * Returns the filter with what holds for contacts without a record of its topic. Throws `invalid` if it names a segment
 * or a topic that the team does not have.
 */
export async function findFilter(db: Db, teamId: string, filter: ContactFilter): Promise<ContactFilter> {
  const { segmentId, topicId } = filter
  if (segmentId && !(await findSegment(db, teamId, segmentId))) {
    throw invalid('segmentId', 'is not a segment of this team')
  }
  if (!topicId) return filter
  if (!(await findTopic(db, teamId, topicId))) throw invalid('topicId', 'is not a topic of this team')
  return { ...filter, isOptedInByDefault: await isTopicOptedInByDefault(db, teamId, topicId) }
}
