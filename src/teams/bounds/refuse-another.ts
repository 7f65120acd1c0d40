import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { lockBounds } from './lock-bounds.ts'
import { planLimitExceeded } from './plan-limit-exceeded.ts'

const tables = {
  apiKeys: ['api_keys'],
  domains: ['domains'],
  webhookEndpoints: ['webhooks'],
  members: ['team_members', 'team_invitations'],
} as const

/**
 * Refuses another row if the plan's bound is reached, and returns the bound. Call it before the insert, in the same
 * transaction.
 */
export async function refuseAnother(tx: Tx, teamId: string, limit: keyof typeof tables): Promise<number> {
  const max = (await lockBounds(tx, teamId))[limit]
  let count = 0
  for (const table of tables[limit]) count += await countOf(tx, table, teamId)
  if (count >= max) throw planLimitExceeded(limit, max, 'Delete one first')
  return max
}

async function countOf(tx: Tx, table: (typeof tables)[keyof typeof tables][number], teamId: string): Promise<number> {
  const { count } = await tx.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    // Expired invitations are removed once an hour.
    .$if(table === 'team_invitations', (query) => query.where(sql.ref('expires_at'), '>', tx.now))
    .executeTakeFirstOrThrow()
  return Number(count)
}
