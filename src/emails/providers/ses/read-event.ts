import { type Json, objectOf, readForeignJson } from '../../../platform/http/read-foreign-json.ts'
import { normalizeAddress } from '../../../platform/mail-address.ts'
import type { EmailFact } from '../../messages/facts/consequences.ts'
import type { DeliveryFact } from '../../provider.ts'

/** An event of one email, in either form: published by a configuration set (`eventType`) or by an identity. */
export type SesEvent = {
  /** As Amazon SES names it, without blanks: `Bounce`, `RenderingFailure`. */
  type: string
  /** What it says of the email. */
  mail: Json
  /** What it says of the event. */
  detail: Json
  payload: Json
}

/** Null for what is no event, such as the line in which Amazon SES tries out a new topic. */
export function readSesEvent(text: string): SesEvent | null {
  const payload = objectOf(readForeignJson(text))
  const named = payload.eventType ?? payload.notificationType
  if (typeof named !== 'string') return null
  const type = named.replaceAll(' ', '')
  return { type, mail: objectOf(payload.mail), detail: objectOf(payload[details[type] ?? '']), payload }
}

/** Where each event has its own part. */
const details: Record<string, string> = {
  Delivery: 'delivery',
  DeliveryDelay: 'deliveryDelay',
  Bounce: 'bounce',
  Complaint: 'complaint',
  Reject: 'reject',
  RenderingFailure: 'failure',
  Open: 'open',
  Click: 'click',
}

/**
 * What an event says, of those it has an email to: an address that the email was not for, a forwarded one say, is left
 * out. `Send` tells what the answer to the sending told already.
 */
export function factsOfEvent({ type, detail, payload }: SesEvent, recipients: string[]): EmailFact[] {
  // Readers of events see one shape, whichever way it came and whatever the provider is.
  const data = { notificationType: payload.eventType, ...payload, mail: withoutOperator(objectOf(payload.mail)) }
  const told = (listed: unknown, fact: Pick<DeliveryFact, 'type' | 'permanent' | 'suppress'>) =>
    addressed(listed, recipients).map((recipient): EmailFact => ({ ...fact, recipient, data }))
  // One delivery tells of all whom it reached.
  if (type === 'Delivery') return told(detail.recipients, { type: 'delivered' }).slice(0, 1)
  if (type === 'DeliveryDelay') return told(detail.delayedRecipients, { type: 'delivery_delayed' })
  if (type === 'Bounce')
    return told(detail.bouncedRecipients, { type: 'bounced', permanent: detail.bounceType === 'Permanent' })
  if (type === 'Complaint' && !noComplaints.has(detail.complaintFeedbackType))
    return told(detail.complainedRecipients, { type: 'complained' })
  // Of the message itself, such as a virus in it: no address is at fault.
  if (type === 'Reject' || type === 'RenderingFailure')
    return told(recipients, { type: 'bounced', permanent: true, suppress: false })
  if (type === 'Open') return [{ type: 'opened', recipient: null, data }]
  if (type === 'Click') return [{ type: 'clicked', recipient: null, data }]
  return []
}

/** The operator's account at Amazon is no business of the teams, nor is the tag that finds the email. */
function withoutOperator({ sendingAccountId, sourceArn, sourceIp, callerIdentity, tags, ...mail }: Json): Json {
  const theirs = Object.entries(objectOf(tags)).filter(([name]) => name !== 'posthorn' && !name.startsWith('ses:'))
  return tags === undefined ? mail : { ...mail, tags: Object.fromEntries(theirs) }
}

/** RFC 5965 and its registry: the one says the opposite of a complaint, the other that a signature was not good. */
const noComplaints = new Set<unknown>(['not-spam', 'auth-failure'])

/** The email's own recipients among those listed, as it wrote them. */
function addressed(listed: unknown, recipients: string[]): string[] {
  const texts = (Array.isArray(listed) ? listed : []).map((item) =>
    typeof item === 'string' ? item : String(objectOf(item).emailAddress),
  )
  const named = new Set(texts.map((text) => normalizeAddress(bareAddress(text))))
  return recipients.filter((recipient) => named.has(normalizeAddress(recipient)))
}

/** Amazon may write an address as the message did: `Name <a@b.co>`. */
export function bareAddress(text: string): string {
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text
}
