import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'
import { ask, type Reader } from '../platform/ask.ts'
import { normalizeAddress } from '../platform/mail-address.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { rowsOf } from '../platform/sql-rows.ts'

export const suppressionColumns = ['id', 'email', 'reason', 'created_at as createdAt'] as const

export function findSuppression(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Finds which of these bare addresses are suppressed, for many teams in one statement. Returns a set of
 * `${teamId} ${normalizeAddress(address)}`. Addresses of erased persons are known by their keyed hash alone.
 */
export async function findSuppressed(
  reader: Reader & Pick<Tx, 'keyring'>,
  pairs: { teamId: string; address: string }[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const wanted = pairs.flatMap(({ teamId, address }) => {
    const normalized = normalizeAddress(address)
    const forms = [normalized, erasedForm(reader.keyring, normalized)]
    return forms.map((form) => ({ teamId, normalized, form }))
  })
  const statement = sql<{ team_id: string; normalized: string }>`
    select entry.team_id, wanted.normalized
    from ${rowsOf(wanted, { teamId: 'uuid', normalized: 'text', form: 'text' }).as('wanted')}
    join suppressions as entry on entry.team_id = wanted.team_id and entry.email_normalized = wanted.form
  `
  const rows = await ask(reader, statement)
  return new Set(rows.map((row) => `${row.team_id} ${row.normalized}`))
}
