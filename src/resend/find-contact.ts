import { type ContactRow, findContact, findContactByEmail } from '../contacts/queries.ts'
import type { Db } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'

/** Finds a contact by its id or its address. Throws `notFound`. */
export function findTheirContact(db: Db, teamId: string, contact: string): Promise<ContactRow> {
  const find = isUuid(contact) ? findContact : findContactByEmail
  return orNotFound('contact', find(db, teamId, contact))
}
