import {
  bounceNotification,
  complaintNotification,
  delayNotification,
  deliveryNotification,
} from '../../emails/notification.ts'
import type { DeliveryFact } from '../../emails/provider.ts'
import { blamesAddress } from '../../emails/smtp-client/blame.ts'
import { normalizeAddress } from '../../platform/mail-address.ts'
import type { ReturnedEmail } from './find-email.ts'
import type { Complaint, RecipientStatus, Report } from './report/report.ts'
import { statusesInText } from './report/statuses-in-text.ts'

/**
 * What a report makes known of an email, at the time `at`. Only of those it was sent to: who holds the return address of
 * one email can speak of its recipients and of nobody else.
 */
export function factsOf(email: ReturnedEmail, report: Report, at: Date): DeliveryFact[] {
  if (report.kind === 'status') return factsOfStatuses(email, report.recipients, at)
  if (report.kind === 'text') return factsOfStatuses(email, statusesInText(report.text, email.envelope.to), at)
  if (report.kind === 'complaint') return factsOfComplaint(email, report.complaint, at)
  return []
}

function factsOfStatuses(email: ReturnedEmail, statuses: RecipientStatus[], at: Date): DeliveryFact[] {
  const facts = new Map<string, DeliveryFact>()
  for (const status of statuses) {
    const recipient = recipientNamed(email, status.names)
    // One recipient may have several groups, where it was forwarded to several; the first is believed.
    const key = `${status.action} ${recipient}`
    if (recipient !== null && !facts.has(key)) facts.set(key, factOfStatus(email, recipient, status, at))
  }
  return [...facts.values()]
}

function factOfStatus(email: ReturnedEmail, recipient: string, told: RecipientStatus, at: Date): DeliveryFact {
  const { action, status, diagnosticCode, isGuess = false } = told
  if (action === 'delivered') {
    return { type: 'delivered', recipient, data: deliveryNotification(email, [recipient], diagnosticCode, at) }
  }
  if (action === 'delayed') {
    return { type: 'delivery_delayed', recipient, data: delayNotification(email, recipient, told, at) }
  }
  const permanent = !isGuess
  const blamed = permanent && blamesAddress(status, diagnosticCode)
  const data = bounceNotification(email, recipient, { permanent, blamed, status, diagnosticCode }, at)
  return { type: 'bounced', recipient, permanent, suppress: blamed, data }
}

/** Services for complaints often hide who complained: told of an email to many, all are named, as SES does, and none is suppressed. */
function factsOfComplaint(email: ReturnedEmail, { feedbackType, recipients }: Complaint, at: Date): DeliveryFact[] {
  const complained = (recipient: string) => complaintNotification(email, recipient, feedbackType, at)
  const found = new Set(recipients.flatMap((name) => recipientNamed(email, [name]) ?? []))
  const only = recipientNamed(email, [])
  if (found.size === 0 && only !== null) found.add(only)
  if (found.size > 0)
    return [...found].map((recipient) => ({ type: 'complained', recipient, data: complained(recipient) }))
  const [first = ''] = email.envelope.to
  const data = complained(first)
  const complainedRecipients = email.envelope.to.map((emailAddress) => ({ emailAddress }))
  const complaint = { ...(data.complaint as object), complainedRecipients }
  return [{ type: 'complained', recipient: first, suppress: false, data: { ...data, complaint } }]
}

/** As the email writes the address. Mail is forwarded, so that an email to one person is his whatever the report calls him. */
function recipientNamed({ envelope }: ReturnedEmail, names: string[]): string | null {
  const wanted = names.map(normalizeAddress)
  for (const name of wanted) {
    const recipient = envelope.to.find((address) => normalizeAddress(address) === name)
    if (recipient !== undefined) return recipient
  }
  return new Set(envelope.to.map(normalizeAddress)).size === 1 ? envelope.to[0]! : null
}
