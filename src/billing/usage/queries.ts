import type { Db } from '../../context.ts'
import type { Zone } from '../rate-card.ts'

/** `attempts` is the number of earlier attempts. */
export type UsageReport = { teamId: string; messageId: string; zone: Zone; sentAt: Date; attempts: number }

/** Returns the team's due reports, the earliest due first. */
export function findDueReports(db: Db, teamId: string, now: Date, limit: number): Promise<UsageReport[]> {
  return db
    .selectFrom('sms_usage_reports')
    .select(['team_id as teamId', 'message_id as messageId', 'zone', 'sent_at as sentAt', 'attempts'])
    .where('team_id', '=', teamId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

/** Returns the time at which the team's next report is due. Null if everything is reported. */
export async function findNextReportAt(db: Db, teamId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('sms_usage_reports')
    .select('due_at')
    .where('team_id', '=', teamId)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}
