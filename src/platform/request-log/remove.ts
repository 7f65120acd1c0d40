import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { entryFields } from './entry.ts'

/** A stored request by its own id and the second and id of its page. */
type StoredPlace = { second: Date; page: string; id: string }

/** Writes the pages without these requests, and without marks, which would still match what is gone. */
export async function removeRequests(tx: Tx, teamId: string, places: StoredPlace[]): Promise<void> {
  await sql`
    with gone as (select * from ${rowsOf(places, { second: 'timestamptz', page: 'uuid', id: 'uuid' }).as('gone')})
    update request_pages set marks = null, entries = coalesce((
      select json_agg(entry) from json_array_elements(entries) as entry
      where ${entryFields.id} not in (select gone.id from gone)
    ), '[]')
    where team_id = ${teamId} and (second, id) in (select gone.second, gone.page from gone)
  `.execute(tx.db)
}
