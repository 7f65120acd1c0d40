import type { Db } from '../../../context.ts'
import type { Trigger } from '../queries.ts'
import { type Contact, findContacts, findContactsByAddress } from './contacts.ts'
import { findDepths } from './depth.ts'
import { type EmailHead, findEmailHeads } from './emails.ts'
import { type Heard, isWanted } from './heard.ts'

/** An event with what its executions are given. */
export type Occurrence = {
  event: Heard
  triggerData: unknown
  depth: number
  contact: Contact | null
  /** Of the email, where it is one's. */
  domainId: string | null
}

/** As things are now. Events of contacts that were deleted since are left out: there is nobody to do anything with. */
export async function readOccurrences(db: Db, teamId: string, events: Heard[]): Promise<Occurrence[]> {
  const depths = await findDepths(db, teamId, events)
  const emails = await findEmailHeads(db, teamId, [
    ...new Set(events.flatMap(({ data }) => ('emailId' in data ? data.emailId : []))),
  ])
  const recipients = events.map((event) => recipientOf(event, emails))
  const byId = await findContacts(db, teamId, [
    ...new Set(events.flatMap(({ data }) => ('contactId' in data ? data.contactId : []))),
  ])
  const byAddress = await findContactsByAddress(db, teamId, [...new Set(recipients.flatMap((one) => one ?? []))])
  return events.flatMap((event, index): Occurrence[] => {
    const { type, data } = event
    const common = { event, depth: depths[index]!, domainId: null }
    if (type === 'broadcast.completed') {
      const triggerData = { broadcastId: data.broadcastId, stats: data.stats }
      return [{ ...common, triggerData, contact: null }]
    }
    if ('contactId' in data) {
      const contact = byId.get(data.contactId)
      const triggerData = { event: type.slice('contact.'.length), contact }
      return contact ? [{ ...common, triggerData, contact }] : []
    }
    const contact = byAddress.get(recipients[index] ?? '') ?? null
    const triggerData = { type, emailId: data.emailId, data: data.details, contact }
    return [{ ...common, triggerData, contact, domainId: emails.get(data.emailId)?.domainId ?? null }]
  })
}

/** Whom the event names; otherwise whom the email was for. */
function recipientOf({ data }: Heard, emails: Map<string, EmailHead>): string | null {
  if (!('emailId' in data)) return null
  return data.recipient ?? emails.get(data.emailId)?.recipient ?? null
}

/** What only the email or the contact tells. */
export function passesFilters({ config }: Pick<Trigger, 'config'>, occurrence: Occurrence): boolean {
  const { event, contact, domainId } = occurrence
  if (event.type.startsWith('email.')) return isWanted(config.domain_id, domainId)
  if (!event.type.startsWith('contact.') || event.type === 'contact.added_to_segment') return true
  return config.segment_id === undefined || contact!.segments.some((one) => isWanted(config.segment_id, one.segmentId))
}
