import { parseMailbox } from './mailbox.ts'

/**
 * The data that providers store with an event, in the shape of Amazon SES (its SNS notification contents). Readers of
 * events see the same shape for every provider.
 */
type Notification = Record<string, unknown>

/** The email a notification is about. The members are as in `OutboundMessage`. */
export type NotifiedMessage = {
  messageId: string
  envelope: { to: readonly string[] }
  summary: { from: string }
  at: Date
}

/** `status` is an enhanced status code (RFC 3463), `diagnosticCode` the peer's answer: `smtp; 550 5.1.1 …`. */
export type Diagnosis = { status: string; diagnosticCode: string }

/** A provider that cannot be reached. The reason names neither its host nor its port, which senders need not know. */
export const unreachable: Diagnosis = { status: '4.4.1', diagnosticCode: 'unreachable' }

/** The receiving host, if it is known. */
export type Peer = { remoteMta: string; remoteMtaIp: string }

/**
 * Makes a bounce. `permanent` says that this mail never reaches this address. `blamed` is false if the address is not
 * at fault, such as for a full mailbox or a policy; the bounce is then `Transient` with the reason as its subtype, and
 * suppresses no address. `at` is the time at which the bounce was known.
 */
export function bounceNotification(
  message: NotifiedMessage,
  recipient: string,
  { permanent, blamed = true, status, diagnosticCode }: Diagnosis & { permanent: boolean; blamed?: boolean },
  at: Date,
  peer: Peer | null = null,
): Notification {
  return {
    notificationType: 'Bounce',
    bounce: {
      bounceType: permanent && blamed ? 'Permanent' : 'Transient',
      bounceSubType: blamed ? 'General' : subTypeOf(status),
      bouncedRecipients: [{ emailAddress: recipient, status, action: 'failed', diagnosticCode }],
      timestamp: at.toISOString(),
      ...shownPeer(peer),
    },
    mail: mailOf(message),
  }
}

/** Returns Amazon SES's name for a status code of RFC 3463. */
function subTypeOf(status: string): string {
  if (/^[45]\.2\.2$/.test(status)) return 'MailboxFull'
  if (/^[45]\.(2|3)\.[34]$/.test(status)) return 'MessageTooLarge'
  return /^5\.[67]\./.test(status) ? 'ContentRejected' : 'General'
}

/** Makes a delivery. `smtpResponse` is the last line of the server that accepted the message. */
export function deliveryNotification(
  message: NotifiedMessage,
  recipients: readonly string[],
  smtpResponse: string,
  at: Date,
  peer: Peer | null = null,
): Notification {
  return {
    notificationType: 'Delivery',
    delivery: { timestamp: at.toISOString(), recipients: [...recipients], smtpResponse, ...shownPeer(peer) },
    mail: mailOf(message),
  }
}

/** Names each member: a caller's record may have more, which are internal. */
function shownPeer(peer: Peer | null): Partial<Peer> {
  return peer ? { remoteMta: peer.remoteMta, remoteMtaIp: peer.remoteMtaIp } : {}
}

/** Makes a complaint. `feedbackType` is a name of RFC 5965. */
export function complaintNotification(
  message: NotifiedMessage,
  recipient: string,
  feedbackType: string,
  at: Date,
): Notification {
  return {
    notificationType: 'Complaint',
    complaint: {
      complainedRecipients: [{ emailAddress: recipient }],
      complaintFeedbackType: feedbackType,
      timestamp: at.toISOString(),
    },
    mail: mailOf(message),
  }
}

/** Makes a delay: the message has not been delivered yet and will be tried again. */
export function delayNotification(
  message: NotifiedMessage,
  recipient: string,
  diagnosis: Diagnosis,
  at: Date,
): Notification {
  return delaysNotification(message, [{ recipient, diagnosis }], at)
}

/** Makes a delay of several recipients, each with its own reason. */
export function delaysNotification(
  message: NotifiedMessage,
  delayed: readonly { recipient: string; diagnosis: Diagnosis }[],
  at: Date,
  peer: Peer | null = null,
): Notification {
  return {
    notificationType: 'DeliveryDelay',
    deliveryDelay: {
      delayType: 'TransientCommunicationFailure',
      delayedRecipients: delayed.map(({ recipient, diagnosis: { status, diagnosticCode } }) => {
        return { emailAddress: recipient, status, diagnosticCode }
      }),
      timestamp: at.toISOString(),
      ...shownPeer(peer),
    },
    mail: mailOf(message),
  }
}

/**
 * Describes an email as SES does. The id has no angle brackets, unlike the header field. `source` is the address in
 * `From`, because the envelope sender is secret: knowing it is enough to report a bounce.
 */
export function mailOf({ messageId, envelope, summary, at }: NotifiedMessage) {
  return {
    timestamp: at.toISOString(),
    messageId: messageId.replace(/^<|>$/g, ''),
    source: parseMailbox(summary.from)?.address ?? summary.from,
    destination: [...envelope.to],
  }
}
