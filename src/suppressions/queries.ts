import { sql } from 'kysely'
import type { Db, SentAtOnce, Tx } from '../context.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { ask, type Reader } from '../platform/sql/ask.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'

export const suppressionColumns = ['id', 'email', 'reason', 'created_at as createdAt'] as const

export function findSuppression(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A bare address that a team's email goes to. `system` is true for system mail. */
export type Addressee = { teamId: string; address: string; system?: boolean }

/**
 * Finds which of these are suppressed, for many teams in one statement. Returns a set of their `addresseeKey`.
 * Addresses of erased persons are known by their keyed hash alone. System mail heeds bounces, complaints and erasures
 * only: anybody with a key of the team could otherwise keep a person from the link that resets a password.
 */
export async function findSuppressed(
  reader: Reader & Pick<Tx, 'keyring'>,
  addressees: Addressee[],
): SentAtOnce<Set<string>> {
  if (addressees.length === 0) return new Set()
  const wanted = addressees.flatMap((addressee) => {
    const { teamId, address, system = false } = addressee
    const normalized = normalizeAddress(address)
    const key = addresseeKey(addressee)
    const erased = { teamId, key, form: erasedForm(reader.keyring, normalized), system: false }
    return [{ teamId, key, form: normalized, system }, erased]
  })
  const statement = sql<{ key: string }>`
    select wanted.key
    from ${rowsOf(wanted, { teamId: 'uuid', key: 'text', form: 'text', system: 'bool' }).as('wanted')}
    join suppressions as entry on entry.team_id = wanted.team_id and entry.email_normalized = wanted.form
      and (not wanted.system or entry.reason in ('bounce', 'complaint'))
  `
  const rows = await ask(reader, statement)
  return new Set(rows.map(({ key }) => key))
}

/** Finds the keyed hashes of the addresses whose persons were erased, by address. Expects normalized addresses. */
export async function findErasedForms(
  { db, keyring }: Pick<Tx, 'db' | 'keyring'>,
  teamId: string,
  addresses: string[],
): Promise<Map<string, string>> {
  const byForm = new Map(addresses.map((address) => [erasedForm(keyring, address), address]))
  const { rows } = await sql<{ form: string }>`
    select email_normalized as form from suppressions
    where team_id = ${teamId} and email_normalized = any(${[...byForm.keys()]}::text[])
  `.execute(db)
  return new Map(rows.map(({ form }) => [byForm.get(form)!, form]))
}

/** Names an addressee: `${teamId} ${normalizeAddress(address)}`, and apart for system mail. */
export function addresseeKey({ teamId, address, system = false }: Addressee): string {
  return `${system ? 'system ' : ''}${teamId} ${normalizeAddress(address)}`
}
