import type { Db } from '../../context.ts'
import type { Zone } from '../rate-card.ts'

/** `attempts`: those before this one. */
export type UsageReport = { teamId: string; messageId: string; zone: Zone; sentAt: Date; attempts: number }

/** What is due to be reported of a team, the longest due first. */
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

/** When the next report of a team is due; null where all is reported. */
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
