import { type Contact, withMemberships } from '../../../contacts/memberships/memberships.ts'
import { contactColumns } from '../../../contacts/queries.ts'
import type { Db } from '../../../context.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'

/** Finds contacts by id, in the form of the API. */
export async function findContacts(db: Db, teamId: string, ids: string[]): Promise<Map<string, Contact>> {
  if (ids.length === 0) return new Map()
  return new Map((await contactsBy(db, teamId, 'id', ids)).map((contact) => [contact.id, contact]))
}

/** Finds contacts by address, in upper or lower case. The keys are the addresses as given. */
export async function findContactsByAddress(
  db: Db,
  teamId: string,
  addresses: string[],
): Promise<Map<string, Contact>> {
  if (addresses.length === 0) return new Map()
  const keys = [...new Set(addresses.map(normalizeAddress))]
  const contacts = await contactsBy(db, teamId, 'email_key', keys)
  const byKey = new Map(contacts.map((contact) => [normalizeAddress(contact.email), contact]))
  return new Map(
    addresses.flatMap((address) => {
      const contact = byKey.get(normalizeAddress(address))
      return contact ? [[address, contact] as const] : []
    }),
  )
}

async function contactsBy(db: Db, teamId: string, column: 'id' | 'email_key', values: string[]): Promise<Contact[]> {
  const rows = await db
    .selectFrom('contacts')
    .select(contactColumns)
    .where('team_id', '=', teamId)
    .where(column, '=', (eb) => eb.fn.any(eb.val(values)))
    .execute()
  return withMemberships(db, teamId, rows)
}
