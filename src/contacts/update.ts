import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { changeContact } from './change.ts'
import { type Contact, withMemberships } from './memberships/memberships.ts'
import type { ContactChanges } from './schema.ts'

/** Updates a contact. Throws `notFound`, and `invalid` naming each field that is wrong. */
export async function updateContact(app: App, teamId: string, id: string, given: ContactChanges): Promise<Contact> {
  if (given.properties) await refuseStorage(app.db, teamId)
  const contact = await changeContact(app, { teamId, contact: id, given })
  if (!contact) throw notFound('contact')
  return (await withMemberships(app.db, teamId, [contact]))[0]!
}
