import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'
import type { Keyring } from '../platform/keyring.ts'
import { suppressAddresses } from '../suppressions/suppress.ts'
import { announceContacts } from './announce.ts'

const seedBytes = 16
/** Drawn for many at once: an import makes thousands. */
const drawn = { bytes: Buffer.alloc(0), offset: 0 }

/** 128 bits of a contact's own, made with it: what its unsubscribe token follows from. */
export function newUnsubscribeSeed(): string {
  if (drawn.offset === drawn.bytes.length) {
    drawn.bytes = randomBytes(256 * seedBytes)
    drawn.offset = 0
  }
  drawn.offset += seedBytes
  return drawn.bytes.toString('base64url', drawn.offset - seedBytes, drawn.offset)
}

/** What links in mail carry. It needs APP_SECRET too, so that the database alone gives nobody a token that works. */
export function unsubscribeTokenOf(keyring: Keyring, seed: string): string {
  return keyring.sign('unsubscribe', seed, 24).toString('base64url')
}

/** What a token is found by. */
export function unsubscribeHashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

export type TokenContact = { teamId: string; id: string; email: string; unsubscribed: boolean }

/** Whether it has the form of a token; anybody may know that form. */
export function isToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text)
}

/** By token. Of any team: a token is all that its holder shows. Tokens that no contact has are left out. */
export async function findContactsByTokens(db: Db, tokens: string[]): Promise<Map<string, TokenContact>> {
  const tokenOf = new Map(tokens.map((token) => [unsubscribeHashOf(token), token]))
  const rows = await db
    .selectFrom('contacts')
    .select(['team_id as teamId', 'id', 'email', 'unsubscribed', 'unsubscribe_hash'])
    .where('unsubscribe_hash', '=', sql<string>`any(${[...tokenOf.keys()]}::text[])`)
    .execute()
  return new Map(rows.map(({ unsubscribe_hash, ...contact }) => [tokenOf.get(unsubscribe_hash!)!, contact]))
}

export async function findContactByToken(db: Db, token: string): Promise<TokenContact | undefined> {
  return (await findContactsByTokens(db, [token])).get(token)
}

/** The opt-out of the contact itself: flags it and blocks its address. False where it was flagged already, or is gone. */
export async function unsubscribeContact(tx: Tx, { teamId, id }: { teamId: string; id: string }): Promise<boolean> {
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
