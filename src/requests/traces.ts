import { sql } from 'kysely'
import { idTimeMs } from '../platform/ids.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { textWithoutOthers } from '../platform/privacy/others.ts'
import { candidatePattern } from '../platform/privacy/person.ts'
import type { Found, Trace } from '../platform/privacy/trace.ts'
import { type EntryRow, entryColumns, entryFields } from '../platform/request-log/entry.ts'
import { removeRequests } from '../platform/request-log/remove.ts'

/** Stored pages that are read at a time, of 500 requests at most. */
const readMax = 10

/** A stored page, and its requests that name the person. */
type SearchedPage = { second: string; id: string; entries: EntryRow[] | null }

/**
 * The requests whose path names the person. The key of a row is the second and the id of its stored page, and its own
 * id.
 */
export const requestTraces: Trace[] = [
  {
    name: 'requests',
    reads: [{ table: 'request_pages', column: 'team_id' }],
    async find(db, teamId, person, after) {
      const [second, id] = after.split(' ')
      const place = after === '' ? sql`` : sql`and (second, id) > (${second}::timestamptz, ${id}::uuid)`
      const { rows: pages } = await sql<SearchedPage>`
        select to_json(second) #>> '{}' as second, id, (
          select json_agg(named) from (
            select ${entryColumns} from json_array_elements(entries) as entry
            where ${entryFields.path} ~* ${candidatePattern(person)}
          ) as named
        ) as entries
        from request_pages where team_id = ${teamId} ${place} order by request_pages.second, id limit ${readMax}
      `.execute(db)
      const last = pages.at(-1)
      const found = pages.flatMap(foundIn).filter(({ row }) => namesPerson(row.path, 'path', person))
      return { found, next: pages.length === readMax ? `${last!.second} ${last!.id}` : null }
    },
    /** Without key, user and network of the client, who is somebody of the team. */
    show({ person }, { row }) {
      const { id: requestId, at, method, path, status, durationMs, errorName } = row
      return { requestId, at, method, path: textWithoutOthers(String(path), person), status, durationMs, errorName }
    },
    async erase(tx, teamId, found) {
      const places = found.map(({ key: [second, page, id] }) => ({ second: new Date(second!), page: page!, id: id! }))
      await removeRequests(tx, teamId, places)
      return found.length
    },
  },
]

function foundIn({ second, id, entries }: SearchedPage): Found[] {
  return (entries ?? []).map((row) => ({ key: [second, id, row.id], row: { at: new Date(idTimeMs(row.id)), ...row } }))
}
