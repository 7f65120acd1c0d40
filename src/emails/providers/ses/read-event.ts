import { type Json, objectOf, readForeignJson, textOf } from '../../../platform/http/body/read-foreign-json.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'
import type { EmailFact } from '../../messages/facts/consequences.ts'
import type { DeliveryFact } from '../../provider.ts'

/** An event of one email, published by a configuration set (`eventType`) or by an identity (`notificationType`). */
export type SesEvent = {
  /** Amazon's name without blanks: `Bounce`, `RenderingFailure`. */
  type: string
  mail: Json
  detail: Json
  payload: Json
}

/** Reads an event. Null for a text that is not one, such as the test message that Amazon SES posts to a new topic. */
export function readSesEvent(text: string): SesEvent | null {
  return eventOf(objectOf(readForeignJson(text)))
}

export function eventOf(payload: Json): SesEvent | null {
  const named = payload.eventType ?? payload.notificationType
  if (typeof named !== 'string') return null
  const type = named.replaceAll(' ', '')
  return { type, mail: objectOf(payload.mail), detail: objectOf(payload[details[type] ?? '']), payload }
}

/** The field that holds the details of each type. */
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
 * The facts an event reports about the recipients of its email. Addresses the email was not sent to, such as forwarded
 * ones, are left out. `Send` reports none: the answer to the call says the same, or its loss is recorded.
 */
export function factsOfEvent({ type, detail, payload }: SesEvent, recipients: string[]): EmailFact[] {
  // The data has the same shape for both kinds of event and for every provider.
  const data = { notificationType: payload.eventType, ...payload, mail: withoutOperator(objectOf(payload.mail)) }
  const told = (listed: unknown, fact: Pick<DeliveryFact, 'type' | 'permanent' | 'suppress'>) =>
    addressed(listed, recipients).map((recipient): EmailFact => ({ ...fact, recipient, data }))
  // One fact covers all recipients of a delivery.
  if (type === 'Delivery') return told(detail.recipients, { type: 'delivered' }).slice(0, 1)
  if (type === 'DeliveryDelay') return told(detail.delayedRecipients, { type: 'delivery_delayed' })
  if (type === 'Bounce')
    return told(detail.bouncedRecipients, { type: 'bounced', permanent: detail.bounceType === 'Permanent' })
  if (type === 'Complaint' && !noComplaints.has(detail.complaintFeedbackType))
    return told(detail.complainedRecipients, { type: 'complained' })
  // The message is at fault, for example because of a virus, and not an address.
  if (type === 'Reject' || type === 'RenderingFailure')
    return recipients.map((recipient) => rejected(recipient, type, detail, data))
  if (type === 'Open') return [{ type: 'opened', recipient: null, data }]
  if (type === 'Click') return [{ type: 'clicked', recipient: null, data }]
  return []
}

/**
 * Makes a bounce of a message that is at fault itself, for example because of a virus. Amazon sends no `bounce` for it,
 * which readers of bounces expect.
 */
function rejected(recipient: string, type: string, detail: Json, data: Json & { mail: Json }): EmailFact {
  const diagnosticCode = textOf(detail.reason) || textOf(detail.errorMessage) || type
  const bounce = {
    bounceType: 'Transient',
    bounceSubType: type === 'Reject' ? 'ContentRejected' : 'General',
    bouncedRecipients: [{ emailAddress: recipient, status: '5.6.0', action: 'failed', diagnosticCode }],
    timestamp: data.mail.timestamp,
  }
  return { type: 'bounced', recipient, permanent: true, suppress: false, data: { ...data, bounce } }
}

/** Removes the operator's AWS account and our own tag, which teams should not see. */
function withoutOperator({ sendingAccountId, sourceArn, sourceIp, callerIdentity, tags, ...mail }: Json): Json {
  const theirs = Object.entries(objectOf(tags)).filter(([name]) => name !== 'posthorn' && !name.startsWith('ses:'))
  return tags === undefined ? mail : { ...mail, tags: Object.fromEntries(theirs) }
}

/** Feedback types that are not complaints (RFC 5965 and its registry): the opposite of one, and a failed signature. */
const noComplaints = new Set<unknown>(['not-spam', 'auth-failure'])

/** Returns the listed addresses that are recipients of the email, in the email's spelling. */
function addressed(listed: unknown, recipients: string[]): string[] {
  const texts = (Array.isArray(listed) ? listed : []).map((item) =>
    typeof item === 'string' ? item : textOf(objectOf(item).emailAddress),
  )
  const named = new Set(texts.map((text) => normalizeAddress(bareAddress(text))))
  return recipients.filter((recipient) => named.has(normalizeAddress(recipient)))
}

/** Returns the bare address if Amazon repeats the form of the message, such as `Name <a@b.co>`. */
export function bareAddress(text: string): string {
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text
}
