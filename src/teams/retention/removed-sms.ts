import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'

/** Notes that SMS up to this id may have been removed. */
export async function noteRemovedSms(tx: Tx, teamId: string, throughId: string): Promise<void> {
  await sql`
    insert into team_retention (team_id, sms_removed_through) values (${teamId}, ${throughId})
    on conflict (team_id) do update set
      sms_removed_through = greatest(team_retention.sms_removed_through, excluded.sms_removed_through)
  `.execute(tx.db)
}

/** Finds the id up to which SMS of a team may have been removed; null if none were. */
export async function findRemovedSmsThrough(db: Db, teamId: string): Promise<string | null> {
  const row = await db
    .selectFrom('team_retention')
    .select('sms_removed_through as id')
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  return row?.id ?? null
}
