import Type from 'typebox'
import { Contact } from '../../contacts/schema.ts'
import type { Db } from '../../context.ts'
import { parseMailbox } from '../../emails/mailbox.ts'
import { AnyObject, Nullable, Strict, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'
import { findContactsByAddress } from '../triggers/events/contacts.ts'
import { isWanted, type WorkflowEvent } from '../triggers/events/event.ts'
import { idOf, trigger } from './node.ts'

const names = ['delivered', 'bounced', 'opened', 'clicked', 'complained', 'sent', 'delivery_delayed'] as const
const published = names.map((name) => `email.${name}` as const)

type Published = (typeof published)[number]

/** The short names, and the names of webhook events. */
const EmailEvent = TextEnum(...names, ...published)

export const emailEventNode = trigger({
  type: 'email_event',
  title: 'Email event',
  description: 'Fires for each event of an email: of its delivery, or of its recipient.',
  config: Strict({
    events: Type.Array(EmailEvent, {
      minItems: 1,
      maxItems: 20,
      title: 'Events',
      description: 'The events that fire the trigger, with or without the prefix `email.`.',
      examples: [['opened', 'clicked']],
    }),
    domain_id: Type.Optional(
      Type.String({
        ...Uuid,
        ...idOf('domains'),
        title: 'Domain',
        description: 'Only events of emails from this domain.',
      }),
    ),
  }),
  output: Type.Object({
    type: TextEnum(...published),
    emailId: Uuid,
    data: Nullable(AnyObject({ description: 'As `GET /v1/emails/{id}/events` shows it.' })),
    contact: Nullable(Contact),
  }),
  on: {
    events: published,
    listensTo: ({ events }) => events.map((name) => `email.${name.replace(/^email\./, '')}`),
    async read(db, teamId, events) {
      const emails = await findEmailHeads(db, teamId, [...new Set(events.map(emailIdOf))])
      const recipients = events.map((event) => recipientOf(event) ?? emails.get(emailIdOf(event))?.recipient ?? null)
      const contacts = await findContactsByAddress(db, teamId, [...new Set(recipients.flatMap((one) => one ?? []))])
      return events.map((event, index) => {
        const { type, data } = event
        const contact = contacts.get(recipients[index] ?? '') ?? null
        return {
          event,
          triggerData: { type, emailId: data.emailId, data: data.details, contact },
          passes: ({ domain_id }) => isWanted(domain_id, emails.get(emailIdOf(event))?.domainId ?? null),
        }
      })
    },
  },
  references: ({ domain_id: id }) => (id === undefined ? [] : [{ path: 'domain_id', noun: 'domain', id }]),
})

function emailIdOf({ data }: WorkflowEvent<Published>): string {
  return data.emailId
}

/** The recipient that the event names; null if it names none. */
function recipientOf({ data }: WorkflowEvent<Published>): string | null {
  return data.recipient
}

/** `recipient`: the first in `to`. */
type EmailHead = { domainId: string; recipient: string | null }

async function findEmailHeads(db: Db, teamId: string, ids: string[]): Promise<Map<string, EmailHead>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('emails')
    .select(['id', 'domain_id as domainId', 'to_addresses as to'])
    .where('team_id', '=', teamId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute()
  return new Map(
    rows.map(({ id, domainId, to }) => [id, { domainId, recipient: parseMailbox(to[0] ?? '')?.address ?? null }]),
  )
}
