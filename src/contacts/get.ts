import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { type Contact, findWholeContact } from './memberships.ts'

export async function getContact(app: App, teamId: string, id: string): Promise<Contact> {
  const contact = await findWholeContact(app.db, teamId, id)
  if (!contact) throw notFound('contact')
  return contact
}
