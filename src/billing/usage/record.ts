import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import type { UsageReport } from './queries.ts'

/** `error` is null if the provider accepted the report. */
export type Attempted = { report: UsageReport; error: Error | null }

/**
 * Records the outcome of attempts. A success is final, also after the lease was lost. A failure counts once, even if
 * another worker tried the same report.
 */
export async function recordAttempts(app: App, attempted: Attempted[], delaysMs: readonly number[]): Promise<void> {
  await app.transaction(async (tx) => {
    const reports = attempted.map(({ report, error }) => {
      const delayMs = delaysMs[Math.min(report.attempts, delaysMs.length - 1)]!
      return { ...report, dueAt: error ? new Date(tx.now.getTime() + delayMs) : null }
    })
    await sql`
      update sms_usage_reports as report set attempts = report.attempts + 1, due_at = new.due_at,
        reported_at = case when new.due_at is null then ${tx.now}::timestamptz end
      from ${rowsOf(reports, { teamId: 'uuid', messageId: 'uuid', attempts: 'int', dueAt: 'timestamptz' }).as('new')}
      where report.team_id = new.team_id and report.message_id = new.message_id and report.reported_at is null
        and (new.due_at is null or report.attempts = new.attempts)
    `.execute(tx.db)
  })
}
