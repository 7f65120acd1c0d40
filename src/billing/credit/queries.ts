import type { Db } from '../../context.ts'

type CreditRead = {
  /** In hundredths of a cent. */
  balanceUnits: number
  /** The current month of a plan that an operator set; null where a subscription has its own period. */
  periodStart: Date | null
  periodEnd: Date | null
}

/** Teams that never had credit have no row. */
export async function findCredit(db: Db, teamId: string): Promise<CreditRead> {
  const row = await db
    .selectFrom('sms_credit')
    .select(['balance_units', 'period_start as periodStart', 'period_end as periodEnd'])
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  if (!row) return { balanceUnits: 0, periodStart: null, periodEnd: null }
  const { balance_units, ...period } = row
  return { ...period, balanceUnits: Number(balance_units) }
}
