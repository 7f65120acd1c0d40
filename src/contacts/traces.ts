import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { maskRows } from '../platform/privacy/masked-trace.ts'
import { namesPerson, type Written } from '../platform/privacy/names-person.ts'
import { withoutOthers } from '../platform/privacy/others.ts'
import type { Person } from '../platform/privacy/person.ts'
import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { textColumns } from './fields.ts'
import { findWholeContact } from './memberships/memberships.ts'

/** True for the person's own contact, and false for another one that has the same phone number or names the person. */
const isPersons = ({ row }: Found, { texts }: Person) => texts.includes(normalizeAddress(String(row.email)))

const contacts = { name: 'contacts', table: 'contacts', key: ['id'] }
/** A number is either the person's or not, so it is not masked. */
const texts = textColumns.filter((column) => column !== 'phone_number')
const ofOthers: Record<string, Written> = {
  ...Object.fromEntries(texts.map((column) => [column, 'text'] as const)),
  properties: 'json',
}

/** Deletes the person's contact. Other contacts that name the person stay, without the number and the address. */
async function eraseContacts(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const ids = (rows: Found[]) => rows.map(({ key }) => key[0]!)
  await sql`
    delete from contacts where team_id = ${teamId} and id = any(${ids(found.filter((each) => isPersons(each, person)))}::uuid[])
  `.execute(tx.db)
  const others = found.filter((each) => !isPersons(each, person))
  const shared = others.filter(({ row }) => namesPerson(row.phone_number, 'text', person))
  await sql`
    update contacts set phone_number = null, updated_at = ${tx.now}
    where team_id = ${teamId} and id = any(${ids(shared)}::uuid[])
  `.execute(tx.db)
  await maskRows(tx, teamId, { ...contacts, searched: ofOthers }, others, person)
  return found.length
}

/** Shows the person's own contact; another one that only names the person is not. */
async function showContact({ db, teamId, person }: Showing, found: Found): Promise<object | null> {
  if (!isPersons(found, person)) return null
  return withoutOthers(await findWholeContact(db, teamId, found.key[0]!), person) as object | null
}

export const contactTraces: Trace[] = [
  traceOf({
    ...contacts,
    searched: { email: 'address', phone_number: 'text', ...ofOthers },
    hidden: ['unsubscribe_seed', 'unsubscribe_hash', 'search_text', 'email_key', 'erased_form'],
    erase: eraseContacts,
    show: showContact,
  }),
]
