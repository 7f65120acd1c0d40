import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { type RemovePage, removedRowsMax, removeOldInTeam } from '../platform/retention/remove-in-team.ts'

const tables = ['inbox_messages', 'inbox_sms', 'inbox_whatsapp']

/** The newest captured messages of all channels that a team keeps. */
const inboxKept = 10_000

/** Removes old captured messages, one channel after the other. */
const removeCaptured: RemovePage = async (tx, teamId, { before, after }) => {
  const table = after || tables[0]!
  const more = await removeOldInTeam(table)(tx, teamId, { before, after: '' })
  return more ? table : (tables[tables.indexOf(table) + 1] ?? null)
}

/** Removes captured messages beyond the newest `inboxKept`. */
const removeSurplus: RemovePage = async (tx, teamId, { after }) => {
  const through = after || (await findSurplus(tx, teamId))
  if (through === null) return null
  let left = removedRowsMax
  for (const table of tables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where team_id = ${teamId} and id = any(array(
        select id from ${sql.table(table)} where team_id = ${teamId} and id <= ${through}
        order by id limit ${left} for update skip locked
      ))
    `.execute(tx.db)
    left -= Number(numAffectedRows)
  }
  return left === 0 ? through : null
}

/** Finds the newest message that is beyond the kept ones. Each table is read by its primary key. */
async function findSurplus(tx: Tx, teamId: string): Promise<string | null> {
  const newest = tables.map(
    (table) =>
      sql`(select id from ${sql.table(table)} where team_id = ${teamId} order by id desc limit ${inboxKept + 1})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(newest, sql` union all `)}) as newest order by id desc offset ${inboxKept} limit 1
  `.execute(tx.db)
  return rows[0]?.id ?? null
}

/** Finds the living teams that have more captured messages of one channel than are kept. */
async function findFullInboxes(tx: Tx): Promise<string[]> {
  const isFull = tables.map(
    (table) => sql`exists (select from ${sql.table(table)} where team_id = teams.id offset ${inboxKept} limit 1)`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from teams where deleted_at is null and (${sql.join(isFull, sql` or `)})
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}

export const inboxRemovals: Removal[] = [
  { name: 'inbox-surplus', days: null, remove: removeSurplus, findTeams: findFullInboxes },
  { name: 'inbox', days: 'inboxDays', remove: removeCaptured },
]
