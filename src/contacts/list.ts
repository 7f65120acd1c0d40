import type { App } from '../context.ts'
import { pageOf, readCursor } from '../platform/pagination.ts'
import { withMemberships } from './memberships.ts'
import { listContactsOfTeam } from './queries.ts'
import type { ContactQuery } from './schema.ts'
import { searchContacts } from './search.ts'

/** Returns a page, newest first. */
export async function listContacts(app: App, teamId: string, { limit = 20, cursor, search }: ContactQuery) {
  const key = { list: 'contacts', teamId, filters: { search } }
  const before = readCursor(app.keyring, key, cursor)?.id ?? null
  const page = { teamId, before, limit }
  const taken = search ? await searchContacts(app.db, search, page) : await listContactsOfTeam(app.db, page)
  const { data, ...rest } = pageOf(app.keyring, key, taken)
  return { data: await withMemberships(app.db, teamId, data), ...rest }
}
