import type { App, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { announceContacts } from './announce.ts'
import { type Contact, findWholeContact } from './memberships.ts'
import type { ContactRow } from './queries.ts'
import { type ContactColumns, columnsOf, differs, refuseFaults } from './rules.ts'
import type { ContactChanges } from './schema.ts'

export type UpdateOptions = {
  /** The properties given join those that are there, in place of being all. */
  mergeProperties?: boolean
  /** Of the events that follow. */
  cause?: string
}

/** Tells nobody and moves no time where every field has its value already. Raising the flag here blocks no address. */
export function updateContact(
  app: App,
  teamId: string,
  id: string,
  given: ContactChanges,
  { mergeProperties = false, cause }: UpdateOptions = {},
): Promise<Contact> {
  refuseFaults(given)
  return app.transaction(async (tx) => {
    const before = await lockContact(tx, teamId, id)
    if (!before) throw notFound('contact')
    const changes = columnsOf(mergeProperties ? mergedWith(before, given) : given)
    if (differs(before, changes)) {
      await writeChanges(tx, teamId, id, changes)
      const unsubscribes = changes.unsubscribed === true && !before.unsubscribed
      const events = { 'contact.updated': [id], ...(unsubscribes && { 'contact.unsubscribed': [id] }) }
      await announceContacts(tx, teamId, events, cause)
    }
    return (await findWholeContact(tx.db, teamId, id))!
  })
}

/** Together they may be too large. */
function mergedWith(before: Pick<ContactRow, 'properties'>, given: ContactChanges): ContactChanges {
  if (given.properties === undefined) return given
  const merged = { ...given, properties: { ...before.properties, ...given.properties } }
  refuseFaults(merged)
  return merged
}

/** Against other changes alone: rows may be put into segments meanwhile. */
function lockContact(tx: Tx, teamId: string, id: string) {
  return tx.db
    .selectFrom('contacts')
    .select(['first_name', 'last_name', 'phone_number', 'unsubscribed', 'properties'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

async function writeChanges(tx: Tx, teamId: string, id: string, { properties, ...columns }: ContactColumns) {
  await tx.db
    .updateTable('contacts')
    .set({ ...columns, ...(properties && { properties: JSON.stringify(properties) }), updated_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
}
