import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { addUsageReports } from '../usage/add.ts'
import { lockCredit } from './lock.ts'

type SettledMessage = { teamId: string; messageId: string; billable: boolean }

/**
 * Settles messages once the SMS provider has answered or never will. A billable message stays charged, and its overage
 * becomes due to be reported; any other charge is reversed. Repeats change nothing. The caller's guarded update ensures
 * that a message is settled one way only.
 */
export async function settleMessages(tx: Tx, given: SettledMessage[]): Promise<void> {
  const settled = given.filter(({ teamId }) => !isTestTeam(teamId))
  const [billable, refused] = [settled.filter(isBillable), settled.filter((message) => !isBillable(message))]
  if (refused.length > 0) await reverseCharges(tx, refused)
  if (billable.length > 0) await addUsageReports(tx, billable)
}

function isBillable({ billable }: SettledMessage): boolean {
  return billable
}

/**
 * Reverses charges. Credit is returned only in the term in which it was debited: after a refill or a reset, a return
 * would exceed the plan's credit.
 */
async function reverseCharges(tx: Tx, refused: SettledMessage[]): Promise<void> {
  const teamIds = refused.map(({ teamId }) => teamId)
  await lockCredit(tx, teamIds)
  await sql`
    with reversed as (
      insert into sms_ledger (team_id, kind, credit_units, overage_units, message_id, zone, term, created_at)
      select charge.team_id, 'reversal', case when charge.term = credit.term then -charge.credit_units else 0 end,
        -charge.overage_units, charge.message_id, charge.zone, credit.term, ${tx.now}
      from ${rowsOf(refused, { teamId: 'uuid', messageId: 'uuid' }).as('refused')}
      join sms_credit as credit on credit.team_id = refused.team_id
      join sms_ledger as charge on charge.team_id = refused.team_id and charge.message_id = refused.message_id
        and charge.kind in ('debit', 'overage')
      where not exists (
        select from sms_usage_reports as report
        where report.team_id = refused.team_id and report.message_id = refused.message_id
      )
      order by charge.id
      on conflict do nothing
      returning team_id, credit_units
    )
    update sms_credit set balance_units = balance_units + returned.units
    from (select team_id, sum(credit_units) as units from reversed group by team_id) as returned
    where sms_credit.team_id = returned.team_id and returned.units > 0
  `.execute(tx.db)
}
