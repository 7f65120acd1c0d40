import type { Db } from '../context.ts'

/**
 * Returns the emails counted towards the daily limit on `day` (`2026-01-31`, UTC), 0 if the stored row is of an earlier
 * day.
 */
export async function findEmailUsage(db: Db, teamId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('email_usage')
    .select('emails_today')
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.emails_today ?? 0
}

/** Returns the SMS counted towards the daily limits on `day`, and their billable part in hundredths of a cent. */
export async function findSmsUsage(
  db: Db,
  teamId: string,
  day: string,
): Promise<{ messages: number; spendUnits: number }> {
  const row = await db
    .selectFrom('sms_usage')
    .select(['messages_today as messages', 'spend_units_today as units'])
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row ? { messages: row.messages, spendUnits: Number(row.units) } : { messages: 0, spendUnits: 0 }
}
