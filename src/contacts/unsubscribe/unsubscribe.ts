import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { suppressAddresses } from '../../suppressions/suppress.ts'
import { announceContacts } from '../announce.ts'
import { unsubscribeHashOf } from './token.ts'

export type ContactKey = { teamId: string; id: string }
export type TokenContact = ContactKey & { unsubscribed: boolean }

/**
 * Finds contacts by their tokens, without unknown tokens. Not limited to a team: the request carries a token, not an
 * API key.
 */
export async function findContactsByTokens(db: Db, tokens: string[]): Promise<Map<string, TokenContact>> {
  const tokenOf = new Map(tokens.map((token) => [unsubscribeHashOf(token), token]))
  const rows = await db
    .selectFrom('contacts')
    .select(['team_id as teamId', 'id', 'unsubscribed', 'unsubscribe_hash'])
    .where('unsubscribe_hash', '=', sql<string>`any(${[...tokenOf.keys()]}::text[])`)
    .execute()
  return new Map(rows.map(({ unsubscribe_hash, ...contact }) => [tokenOf.get(unsubscribe_hash!)!, contact]))
}

/** Unsubscribes a contact and blocks its address. False if it was unsubscribed before or deleted. */
export async function unsubscribeContact(tx: Tx, { teamId, id }: ContactKey): Promise<boolean> {
  const changed = await tx.db
    .updateTable('contacts')
    .set({ unsubscribed: true, updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('unsubscribed', '=', false)
    .returning('email')
    .executeTakeFirst()
  if (!changed) return false
  await suppressAddresses(tx, [{ teamId, email: changed.email, reason: 'unsubscribe' }])
  await announceContacts(tx, teamId, { 'contact.unsubscribed': [id] })
  return true
}

/**
 * Blocks the address of a contact that others have locked for a change, such as an import, and does not wait for them.
 * A contact that is being deleted is left out, because an erasure may have removed its address from the suppressions.
 */
export async function blockContactAddress(tx: Tx, { teamId, id }: ContactKey): Promise<void> {
  const contact = await tx.db
    .selectFrom('contacts')
    .select('email')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forKeyShare()
    .skipLocked()
    .executeTakeFirst()
  if (contact) await suppressAddresses(tx, [{ teamId, email: contact.email, reason: 'unsubscribe' }])
}
