import type { Tx } from '../../../context.ts'
import { lockBounds } from '../../../teams/bounds/lock-bounds.ts'
import { planLimitExceeded } from '../../../teams/bounds/plan-limit-exceeded.ts'
import type { ScheduleConfig } from './due.ts'
import { firesPerMinute } from './rate.ts'

/** Refuses the activation of a schedule with which the team's schedules start more executions than its plan allows. */
export async function refuseTooManyFires(tx: Tx, teamId: string, config: ScheduleConfig): Promise<void> {
  const { schedulesPerMinute: max } = await lockBounds(tx, teamId)
  const active = await tx.db
    .selectFrom('workflow_triggers')
    .select('config')
    .where('team_id', '=', teamId)
    .where('type', '=', 'schedule')
    .execute()
  const rates = [config, ...active.map((trigger) => trigger.config as ScheduleConfig)].map(firesPerMinute)
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  // Sums of sixtieths are not exact.
  if (total > max + 1e-6) {
    throw planLimitExceeded(
      'schedulesPerMinute',
      max,
      `With this schedule there would be ${Math.ceil(total * 100) / 100}. Let it fire less often, deactivate another`,
    )
  }
}
