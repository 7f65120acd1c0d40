import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { invalid } from '../platform/errors.ts'
import { isAddress, normalizeAddress } from '../platform/text/mail-address.ts'
import { suppressionColumns } from './queries.ts'

/** Blocks an address by hand. If the address is blocked already, returns the existing entry. */
export async function addSuppression(app: App, teamId: string, email: string) {
  if (!isAddress(email)) throw invalid('email', 'must be one bare address, such as ada@example.com')
  return app.transaction(async (tx) => {
    const id = tx.newId()
    const entry = await tx.db
      .insertInto('suppressions')
      .values({
        team_id: teamId,
        id,
        email,
        email_normalized: normalizeAddress(email),
        reason: 'manual',
        created_at: tx.now,
      })
      // An update that changes nothing locks and returns the existing entry, also if requests race.
      .onConflict((existing) =>
        existing
          .columns(['team_id', 'email_normalized'])
          .doUpdateSet((row) => ({ email: row.ref('suppressions.email') })),
      )
      .returning(suppressionColumns)
      .executeTakeFirstOrThrow()
    const target = { type: 'suppression', id, name: entry.email }
    if (entry.id === id) await recordChange(tx, { teamId, action: 'suppression.added', target })
    return entry
  })
}
