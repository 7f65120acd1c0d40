import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { unsubscribedBit } from './seen.ts'

/** Counts an email whose recipient unsubscribed. Once, even if it is recorded again; not if the email was removed. */
export async function recordUnsubscribed(tx: Tx, teamId: string, emailId: string): Promise<void> {
  await sql`
    update emails set seen = seen | ${unsubscribedBit}::int, counted_at = ${tx.now}
    where team_id = ${teamId} and id = ${emailId}
  `.execute(tx.db)
}
