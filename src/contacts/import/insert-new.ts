import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { findErasedForms } from '../../suppressions/queries.ts'
import { textColumnList } from '../queries.ts'
import { newUnsubscribeSeed, unsubscribeHashOf, unsubscribeTokenOf } from '../unsubscribe/token.ts'
import type { WantedContact } from './read-rows.ts'

/**
 * Rows in one statement. It ends well within its time limit, and the process answers other requests between two
 * statements.
 */
export const statementRowsMax = 2500

type New = WantedContact & { id: string }

/**
 * Inserts contacts the team does not have; `known` are the others. All imports insert in the same order and do not
 * deadlock.
 */
export async function insertNewContacts(
  tx: Tx,
  keyring: Keyring,
  teamId: string,
  wanted: WantedContact[],
): Promise<{ createdIds: string[]; known: WantedContact[] }> {
  // Ids in the order of the rows: lists show the last row first.
  const rows: New[] = wanted.map((contact) => ({ ...contact, id: tx.newId() }))
  rows.sort((left, right) => (left.key < right.key ? -1 : 1))
  const created = new Set<string>()
  for (let start = 0; start < rows.length; start += statementRowsMax) {
    const page = rows.slice(start, start + statementRowsMax)
    for (const id of await insertPage(tx, keyring, teamId, page)) created.add(id)
  }
  return { createdIds: [...created], known: rows.filter(({ id }) => !created.has(id)) }
}

async function insertPage(tx: Tx, keyring: Keyring, teamId: string, page: New[]): Promise<string[]> {
  const keys = page.map(({ key }) => key)
  const erasedForms = await findErasedForms(tx, teamId, keys)
  const rows = page.map(({ id, email, key, columns }) => {
    const seed = newUnsubscribeSeed()
    const hash = unsubscribeHashOf(unsubscribeTokenOf(keyring, seed))
    return {
      id,
      email,
      email_key: key,
      unsubscribed: false,
      ...columns,
      unsubscribe_seed: seed,
      unsubscribe_hash: hash,
      erased_form: erasedForms.get(key),
    }
  })
  const inserted = await sql<{ id: string }>`
    insert into contacts (team_id, id, email, email_key, ${textColumnList}, unsubscribed,
      properties, unsubscribe_seed, unsubscribe_hash, erased_form, created_at, updated_at)
    select ${teamId}, id, email, email_key, ${textColumnList}, unsubscribed, coalesce(properties, '{}'),
      unsubscribe_seed, unsubscribe_hash, erased_form, ${tx.now}, ${tx.now}
    from json_populate_recordset(null::contacts, ${JSON.stringify(rows)}::json)
    on conflict (team_id, email_key) do nothing returning id
  `.execute(tx.db)
  return inserted.rows.map(({ id }) => id)
}
