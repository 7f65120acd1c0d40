import {
  bounceNotification,
  complaintNotification,
  delayNotification,
  deliveryNotification,
  type NotifiedMessage,
} from '../../emails/notification.ts'
import type { DeliveryFact } from '../../emails/provider.ts'
import { blamesAddress } from '../../emails/smtp-client/blame.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import type { ReturnedEmail } from './find-email.ts'
import type { RecipientStatus, Report } from './report/report.ts'
import { statusesInText } from './report/statuses-in-text.ts'

/**
 * Returns the facts of a report about the recipient whose return address received it, with the time `at`. Never takes
 * the recipient from the report: anyone can write a report, and after forwarding it may name another address.
 */
export function factsOfReport(email: ReturnedEmail, report: Report, at: Date): DeliveryFact[] {
  if (report.kind === 'status') return factsOfStatuses(email, report.recipients, at)
  if (report.kind === 'text') return factsOfStatuses(email, statusesInText(report.text, [email.recipient]), at)
  if (report.kind === 'complaint') return [factOfComplaint(email, report.complaint.feedbackType, at)]
  return []
}

/** Uses the groups that name the recipient, or else all. Forwarding may add groups; the first of each action counts. */
function factsOfStatuses(email: ReturnedEmail, statuses: RecipientStatus[], at: Date): DeliveryFact[] {
  const wanted = normalizeAddress(email.recipient)
  const own = statuses.filter(({ names }) => names.some((name) => normalizeAddress(name) === wanted))
  const byAction = Map.groupBy(own.length > 0 ? own : statuses, ({ action }) => action)
  return [...byAction.values()].map(([first]) => factOfStatus(email, first!, at))
}

function factOfStatus(email: ReturnedEmail, told: RecipientStatus, at: Date): DeliveryFact {
  const { action, status, diagnosticCode, isGuess = false } = told
  const { recipient } = email
  const message = notified(email)
  if (action === 'delivered') {
    return { type: 'delivered', recipient, data: deliveryNotification(message, [recipient], diagnosticCode, at) }
  }
  if (action === 'delayed') {
    return { type: 'delivery_delayed', recipient, data: delayNotification(message, recipient, told, at) }
  }
  const permanent = !isGuess
  const blamed = permanent && blamesAddress(status, diagnosticCode)
  const data = bounceNotification(message, recipient, { permanent, blamed, status, diagnosticCode }, at)
  return { type: 'bounced', recipient, permanent, suppress: blamed, data }
}

function factOfComplaint(email: ReturnedEmail, feedbackType: string, at: Date): DeliveryFact {
  const { recipient } = email
  return { type: 'complained', recipient, data: complaintNotification(notified(email), recipient, feedbackType, at) }
}

function notified(email: ReturnedEmail): NotifiedMessage {
  return { ...email, envelope: { to: [email.recipient] } }
}
