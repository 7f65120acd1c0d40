import type { Plan, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { creditUnitsOf } from '../plans.ts'
import { unitsPerCent } from '../rate-card.ts'
import { type Credit, lockCredit } from './lock.ts'
import { monthAt } from './month.ts'

/**
 * Sets the credit to the plan's at the beginning of a subscription's period. The caller ensures that each period begins
 * once. `cause` is the id of the payment event, which is unique.
 */
export async function refillCredit(tx: Tx, teamId: string, plan: Plan, cause: string): Promise<void> {
  const credit = (await lockCredit(tx, [teamId])).get(teamId)!
  await set(tx, teamId, credit, { kind: 'refill', cause, units: creditUnitsOf(plan) })
}

/** Sets the credit to zero. Returns what it was, in hundredths of a cent. */
export async function zeroCredit(tx: Tx, teamId: string, cause: string): Promise<number> {
  const credit = (await lockCredit(tx, [teamId])).get(teamId)!
  await set(tx, teamId, credit, { kind: 'zero', cause, units: 0 })
  return credit.balanceUnits
}

/** Sets the credit to what was left of it when the subscription was suspended, in hundredths of a cent. */
export async function restoreCredit(tx: Tx, teamId: string, units: number, cause: string): Promise<void> {
  const credit = (await lockCredit(tx, [teamId])).get(teamId)!
  await set(tx, teamId, credit, { kind: 'refill', cause, units })
}

/** Sets the credit to the plan's and begins a month, for a plan that an operator set. */
export async function grantCredit(tx: Tx, teamId: string, plan: Plan): Promise<void> {
  const credit = (await lockCredit(tx, [teamId])).get(teamId)!
  const change = { cause: `plan ${plan}`, units: creditUnitsOf(plan) }
  if (plan === 'free') await set(tx, teamId, credit, { ...change, kind: 'zero' })
  else await set(tx, teamId, credit, { ...change, kind: 'grant', anchor: tx.now })
}

/** Begins the next month of a plan that an operator set. Months that passed while nothing ran are skipped. */
export async function renewCredit(tx: Tx, teamId: string): Promise<void> {
  const credit = (await lockCredit(tx, [teamId])).get(teamId)!
  const { periodAnchor: anchor, periodEnd } = credit
  if (!anchor || !periodEnd || periodEnd > tx.now) return
  // Read under the lock, since the plan may change at the same moment.
  const { plan } = await tx.db.selectFrom('teams').select('plan').where('id', '=', teamId).executeTakeFirstOrThrow()
  const cause = `month ${monthAt(anchor, tx.now).start.toISOString()}`
  await set(tx, teamId, credit, { kind: 'refill', cause, units: creditUnitsOf(plan), anchor })
}

type Change = {
  kind: 'refill' | 'grant' | 'zero'
  cause: string
  units: number
  /** The time from which months are counted; set only for a plan that an operator set. */
  anchor?: Date
}

const actions = { refill: 'refilled', grant: 'granted', zero: 'ended' } as const

async function set(tx: Tx, teamId: string, before: Credit, change: Change): Promise<void> {
  const { kind, cause, units, anchor } = change
  const month = anchor ? monthAt(anchor, tx.now) : null
  const term = before.term + 1
  await tx.db
    .insertInto('sms_ledger')
    .values({
      team_id: teamId,
      kind,
      term,
      cause,
      created_at: tx.now,
      message_id: null,
      zone: null,
      credit_units: String(units - before.balanceUnits),
      overage_units: '0',
    })
    .execute()
  await tx.db
    .updateTable('sms_credit')
    .set({ balance_units: String(units), term })
    .set({ period_start: month?.start ?? null, period_end: month?.end ?? null, period_anchor: anchor ?? null })
    .where('team_id', '=', teamId)
    .execute()
  const changes = { smsCreditCents: { from: before.balanceUnits / unitsPerCent, to: units / unitsPerCent } }
  const target = { type: 'credit', id: teamId, name: cause }
  await recordChange(tx, { teamId, action: `credit.${actions[kind]}`, target, changes })
}
