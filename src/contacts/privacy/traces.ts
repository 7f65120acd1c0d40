import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { normalizeAddress } from '../../platform/mail-address.ts'
import type { Person } from '../../platform/privacy/person.ts'
import { type Found, type Trace, traceOf } from '../../platform/privacy/trace.ts'

/** True for the person's own contact, and false for another one that only has the same phone number. */
const isPersons = ({ row }: Found, { texts }: Person) => texts.includes(normalizeAddress(String(row.email)))

/** Deletes the person's contact. Another contact with the same phone number stays without the number. */
async function eraseContacts(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const ids = (contacts: Found[]) => contacts.map(({ key }) => key[0]!)
  await sql`
    delete from contacts where team_id = ${teamId} and id = any(${ids(found.filter((each) => isPersons(each, person)))}::uuid[])
  `.execute(tx.db)
  await sql`
    update contacts set phone_number = null, updated_at = ${tx.now}
    where team_id = ${teamId} and id = any(${ids(found.filter((each) => !isPersons(each, person)))}::uuid[])
  `.execute(tx.db)
  return found.length
}

export const contactTraces: Trace[] = [
  {
    ...traceOf({
      ...{ name: 'contacts', table: 'contacts', key: ['id'] },
      searched: { email: 'address', phone_number: 'text' },
      hidden: ['unsubscribe_seed', 'unsubscribe_hash', 'search_text', 'email_key'],
      erase: eraseContacts,
    }),
    isPersons,
  },
]
