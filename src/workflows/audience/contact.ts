import Type from 'typebox'
import { type ContactRow, findContact, findContactByEmail } from '../../contacts/queries.ts'
import type { Db } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { isAddress } from '../../platform/mail-address.ts'
import type { Context } from '../nodes/node.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { fillAll } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

export const ContactField = Type.Optional(
  Type.String({
    minLength: 1,
    title: 'Contact',
    description: 'Its id or its address. Left out: the contact that triggered the workflow.',
    examples: ['{{trigger.contact.id}}', 'ada@example.com'],
  }),
)

/** The config filled, with the trigger's contact where it names none. */
export function fillWithContact<Config extends { contact?: string }>(config: Config, context: Context): Config {
  const contact = [lookUp('trigger.contact.id', context), lookUp('trigger.contact.email', context)].find(isText)
  return { ...(contact !== undefined && { contact }), ...fillAll(config, context) }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Throws `invalid` where there is none. */
export async function findNamedContact(db: Db, teamId: string, contact: string | undefined): Promise<ContactRow> {
  if (contact === undefined) {
    throw invalid('contact', 'the trigger has no contact. Name one by its id or its address.')
  }
  const found = await find(db, teamId, contact)
  if (found) return found
  const message = 'must be the id or the address of a contact of this team'
  throw becameInvalid({ path: 'contact', value: contact, message })
}

async function find(db: Db, teamId: string, contact: string): Promise<ContactRow | undefined> {
  if (isUuid(contact)) return findContact(db, teamId, contact)
  return isAddress(contact) ? findContactByEmail(db, teamId, contact) : undefined
}
