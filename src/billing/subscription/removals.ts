import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { Removal } from '../../platform/retention/removal.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The provider repeats an event for three days; after that the team of a subscription is known. */
const keptMs = 30 * dayMs
/** Each may have hundreds of events, so pages are small to keep the transaction short. */
const pageMax = 50

/** Deletes subscriptions that no event connected with a team: an account at the provider may also sell other things. */
async function forgetStrangers(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from payment_subscriptions where id in (
      select id from payment_subscriptions where team_id is null and updated_at < ${before} limit ${pageMax}
    )
  `.execute(tx.db)
  return Number(numAffectedRows)
}

export const subscriptionRemovals: Removal[] = [
  { kind: 'billing.forget-strangers', everyMs: dayMs, keptMs, remove: forgetStrangers },
]
