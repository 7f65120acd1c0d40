import Type from 'typebox'
import { type ContactRow, findContactByIdOrEmail } from '../../contacts/queries.ts'
import type { Db } from '../../context.ts'
import { type DomainError, invalid } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { isAddress } from '../../platform/text/mail-address.ts'
import type { Context } from '../nodes/node.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { fillAll } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

export const ContactField = Type.Optional(
  Type.String({
    minLength: 1,
    title: 'Contact',
    description: 'The id or the address of the contact. If left out, the contact that triggered the workflow.',
    examples: ['{{trigger.contact.id}}', 'ada@example.com'],
  }),
)

/** Fills the placeholders of a config, and sets the trigger's contact if the config names none. */
export function fillWithContact<Config extends { contact?: string }>(config: Config, context: Context): Config {
  const contact = [lookUp('trigger.contact.id', context), lookUp('trigger.contact.email', context)].find(
    (value) => typeof value === 'string',
  )
  return { ...(contact !== undefined && { contact }), ...fillAll(config, context) }
}

/** `isOwn` is false for a live contact in test mode, which is not changed. */
type NamedContact = ContactRow & { isOwn: boolean }

/** Finds a contact by its id or its address. Throws `invalid` if there is none. */
export async function findNamedContact(db: Db, teamId: string, contact: string | undefined): Promise<NamedContact> {
  const name = nameOfContact(contact)
  for (const ownerId of teamsReadBy(teamId)) {
    const found = await findContactByIdOrEmail(db, ownerId, name)
    if (found) return { ...found, isOwn: ownerId === teamId }
  }
  throw noSuchContact(name)
}

/** Reads a contact's id or address. The contact may not exist. Throws `invalid` for a text that is neither. */
export function nameOfContact(contact: string | undefined): string {
  if (contact === undefined) {
    throw invalid('contact', 'the trigger has no contact. Name one by its id or its address.')
  }
  if (!isUuid(contact) && !isAddress(contact)) throw noSuchContact(contact)
  return contact
}

function noSuchContact(contact: string): DomainError {
  const message = 'must be the id or the address of a contact of this team'
  return becameInvalid({ path: 'contact', value: contact, message })
}
