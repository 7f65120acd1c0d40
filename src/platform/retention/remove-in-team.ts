import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { firstIdAt } from '../ids.ts'

/** The rows that one commit removes. */
export const removedRowsMax = 1000

/** The place where a page begins: empty at first, then what the page before returned. `before`: younger rows stay. */
export type Page = { before: Date; after: string }

/**
 * Removes a page of a team's old rows. Returns the place where the next page begins, or null if this was the last one.
 */
export type RemovePage = (tx: Tx, teamId: string, page: Page) => Promise<string | null>

/** Makes the removal of rows that nothing refers to, from a table with the primary key `(team_id, id)`. */
export function removeOldInTeam(table: string): RemovePage {
  return async (tx, teamId, { before }) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where team_id = ${teamId} and id = any(array(
        select id from ${sql.table(table)} where team_id = ${teamId} and id < ${firstIdAt(before)}
        order by id limit ${removedRowsMax} for update skip locked
      ))
    `.execute(tx.db)
    return Number(numAffectedRows) === removedRowsMax ? 'more' : null
  }
}

/** Notes what a page removed: `noted` is a part of the `with` that reads `columns` of the table `event` from `gone`. */
type Note = { columns: RawBuilder<unknown>; noted: (teamId: string) => RawBuilder<unknown> }

/**
 * Makes the removal of events of messages. An event is never older than its message, so the primary key `(team_id,
 * <parent>, …)` finds them without an index of their own: each page reads a thousand events of old messages and removes
 * the old ones among them. The pages of one pass go through the messages from the oldest on.
 */
export function removeOldEventsInTeam(table: string, parent: string, note?: Note): RemovePage {
  return async (tx, teamId, { before, after }) => {
    const [afterParent = null, afterId = null] = after.split(' ').filter((part) => part !== '')
    const place = afterParent ? sql`and (${sql.ref(parent)}, id) > (${afterParent}::uuid, ${afterId}::uuid)` : sql``
    const first = firstIdAt(before)
    const { rows } = await sql<{ count: number; last: string | null }>`
      with page as materialized (
        select ${sql.ref(parent)} as parent, id from ${sql.table(table)}
        where team_id = ${teamId} and ${sql.ref(parent)} < ${first} ${place}
        order by ${sql.ref(parent)}, id limit ${removedRowsMax}
      ), gone as (
        delete from ${sql.table(table)} as event using page
        where event.team_id = ${teamId} and event.${sql.ref(parent)} = page.parent and event.id = page.id and page.id < ${first}
        ${note ? sql`returning ${note.columns}` : sql``}
      )${note ? sql`, ${note.noted(teamId)}` : sql``}
      select count(*)::int as count, (select parent || ' ' || id from page order by parent desc, id desc limit 1) as last
      from page
    `.execute(tx.db)
    return rows[0]!.count === removedRowsMax ? rows[0]!.last : null
  }
}
