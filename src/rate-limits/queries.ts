import type { Db } from '../context.ts'

/** Emails the team's daily limit counts on `day` (`2026-01-31`, UTC): a row left from an earlier day counts nothing. */
export async function findEmailsSentToday(db: Db, teamId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('email_usage')
    .select('emails_today')
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.emails_today ?? 0
}
