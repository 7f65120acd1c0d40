import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { rateOfZone, type Zone } from '../rate-card.ts'
import { type Credit, lockCredit } from './lock.ts'

type ChargedMessage = { teamId: string; messageId: string; zone: Zone }
/** In hundredths of a cent. */
export type Charge = { paidFrom: 'credit' | 'overage'; units: number }

/**
 * Charges messages in the order given. Each is paid as a whole: from the team's credit if that covers it, else as
 * overage. Returns the charges by message id. Exact under any concurrency: the teams' credit stays locked until the
 * transaction ends. `settleMessages` later settles each charge.
 */
export async function chargeMessages(tx: Tx, given: ChargedMessage[]): Promise<Map<string, Charge>> {
  const wanted = given.filter(({ teamId }) => !isTestTeam(teamId))
  if (wanted.length === 0) return new Map()
  const teamIds = wanted.map(({ teamId }) => teamId)
  const credits = await lockCredit(tx, teamIds)
  const charges = wanted.map((message) => takeFrom(credits.get(message.teamId)!, message.zone))
  tx.withCommit(writeCharges(tx, credits, wanted, charges))
  return new Map(wanted.map(({ messageId }, index) => [messageId, charges[index]!]))
}

function takeFrom(credit: Credit, zone: Zone): Charge {
  const units = rateOfZone(zone)
  if (credit.balanceUnits < units) return { paidFrom: 'overage', units }
  credit.balanceUnits -= units
  return { paidFrom: 'credit', units }
}

/** Writes all balances and their entries in one statement. */
async function writeCharges(
  tx: Tx,
  credits: Map<string, Credit>,
  wanted: ChargedMessage[],
  charges: Charge[],
): SentAtOnce {
  const balances = [...credits].map(([teamId, { balanceUnits }]) => ({ teamId, balanceUnits }))
  const entries = wanted.map((message, index) => {
    const { units, paidFrom } = charges[index]!
    return { ...message, units, isDebit: paidFrom === 'credit', term: credits.get(message.teamId)!.term }
  })
  const columns = {
    teamId: 'uuid',
    messageId: 'uuid',
    zone: 'smallint',
    units: 'bigint',
    isDebit: 'bool',
    term: 'int',
  } as const
  await tx.send(sql`
    with debited as (
      update sms_credit set balance_units = new.balance_units
      from ${rowsOf(balances, { teamId: 'uuid', balanceUnits: 'bigint' }).as('new')}
      where sms_credit.team_id = new.team_id and sms_credit.balance_units <> new.balance_units
    )
    insert into sms_ledger (team_id, kind, credit_units, overage_units, message_id, zone, term, created_at)
    select team_id, case when is_debit then 'debit' else 'overage' end, case when is_debit then -units else 0 end,
      case when is_debit then 0 else units end, message_id, zone, term, ${tx.now}
    from ${rowsOf(entries, columns).as('new', 'position')}
    order by position
  `)
}
