import type { App } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { findErasedForms } from '../suppressions/queries.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { announceContacts } from './announce.ts'
import type { Contact } from './memberships/memberships.ts'
import { contactColumns } from './queries.ts'
import { columnsOf, refuseFaults } from './rules.ts'
import type { NewContact } from './schema.ts'
import { newUnsubscribeSeed, unsubscribeHashOf, unsubscribeTokenOf } from './unsubscribe/token.ts'

/** Creates a contact. Throws `conflict` if the team has the address already, regardless of case. */
export function createContact(app: App, teamId: string, given: NewContact): Promise<Contact> {
  refuseFaults(given)
  const { email, ...fields } = given
  const { properties = {}, ...columns } = columnsOf(fields)
  const seed = newUnsubscribeSeed()
  const emailKey = normalizeAddress(email)
  return app.transaction(async (tx) => {
    await refuseStorage(tx.db, teamId)
    const erasedForms = await findErasedForms(tx, teamId, [emailKey])
    const made = await tx.db
      .insertInto('contacts')
      .values({
        team_id: teamId,
        id: tx.newId(),
        email,
        email_key: emailKey,
        ...columns,
        properties: JSON.stringify(properties),
        unsubscribe_seed: seed,
        unsubscribe_hash: unsubscribeHashOf(unsubscribeTokenOf(app.keyring, seed)),
        erased_form: erasedForms.get(emailKey) ?? null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .onConflict((existing) => existing.columns(['team_id', 'email_key']).doNothing())
      .returning(contactColumns)
      .executeTakeFirstOrThrow(() =>
        conflict(`The team already has a contact ${email}. Change that one with PATCH, or import it.`),
      )
    await announceContacts(tx, teamId, { 'contact.created': [made.id] })
    return { ...made, segments: [], topics: [] }
  })
}
