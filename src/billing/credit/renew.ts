import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import type { Schedule } from '../../platform/jobs/job.ts'
import { forEachDue } from '../for-each-due.ts'
import { renewCredit } from './set.ts'

const pageMax = 100

/**
 * Renews the credit of teams that an operator put on a plan, each month. For subscriptions the payment provider gives
 * the periods.
 */
export const renewCredits: Schedule = {
  kind: 'billing.renew',
  everyMs: 60_000,
  async run(app: App) {
    const now = app.clock.now()
    await forEachDue(
      app,
      (after: Due | null) => findDue(app.db, now, after),
      ({ teamId }) => app.transaction((tx) => renewCredit(tx, teamId)),
    )
  },
}

type Due = { teamId: string; periodEnd: Date }

async function findDue(db: Db, now: Date, after: Due | null): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select team_id as "teamId", period_end as "periodEnd" from sms_credit
    where period_end <= ${now} and (period_end, team_id) > (${after?.periodEnd ?? '-infinity'}::timestamptz,
      ${after?.teamId ?? nilId}::uuid)
    order by period_end, team_id limit ${pageMax}
  `.execute(db)
  return rows
}
