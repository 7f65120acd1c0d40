import { parseMailbox } from './mailbox.ts'

/**
 * What the built-in providers keep with an event: the shape in which Amazon SES notifies (its SNS notification contents),
 * so that those who read events see one shape whatever the provider is.
 */
export type Notification = Record<string, unknown>

/** The email a notification is about, as `OutboundMessage` has it. */
export type NotifiedMessage = {
  messageId: string
  envelope: { to: readonly string[] }
  summary: { from: string }
  at: Date
}

/** `status` is an enhanced status code (RFC 3463), `diagnosticCode` the peer's words: `smtp; 550 5.1.1 …`. */
export type Diagnosis = { status: string; diagnosticCode: string }

/** The receiving host, where it is known. */
export type Peer = { remoteMta: string; remoteMtaIp: string }

/**
 * `permanent`: this mail never reaches this address. `blamed` false: for a reason that is not the address's, such as a full
 * mailbox or a policy; such bounces are `Transient`, with the reason as their subtype, and suppress no address. `at` is when it
 * was known.
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
      ...peer,
    },
    mail: mailOf(message),
  }
}

/** Amazon SES's names for the reasons that RFC 3463 numbers. */
function subTypeOf(status: string): string {
  if (/^[45]\.2\.2$/.test(status)) return 'MailboxFull'
  if (/^[45]\.(2|3)\.[34]$/.test(status)) return 'MessageTooLarge'
  return /^5\.[67]\./.test(status) ? 'ContentRejected' : 'General'
}

/** `smtpResponse` is the last line of the server that took it. */
export function deliveryNotification(
  message: NotifiedMessage,
  recipients: readonly string[],
  smtpResponse: string,
  at: Date,
  peer: Peer | null = null,
): Notification {
  return {
    notificationType: 'Delivery',
    delivery: { timestamp: at.toISOString(), recipients: [...recipients], smtpResponse, ...peer },
    mail: mailOf(message),
  }
}

/** `feedbackType` as RFC 5965 names it. */
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

/** Not delivered yet, but not given up. */
export function delayNotification(
  message: NotifiedMessage,
  recipient: string,
  diagnosis: Diagnosis,
  at: Date,
): Notification {
  return delaysNotification(message, [{ recipient, diagnosis }], at)
}

/** The same of several recipients, each with its own reason. */
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
      delayedRecipients: delayed.map(({ recipient, diagnosis }) => ({ emailAddress: recipient, ...diagnosis })),
      timestamp: at.toISOString(),
      ...peer,
    },
    mail: mailOf(message),
  }
}

/**
 * The id stands without the angle brackets of the header field, as SES writes it. `source` is the address in `From`: the
 * envelope sender is secret: knowing it is enough to report a bounce.
 */
export function mailOf({ messageId, envelope, summary, at }: NotifiedMessage) {
  return {
    timestamp: at.toISOString(),
    messageId: messageId.replace(/^<|>$/g, ''),
    source: parseMailbox(summary.from)?.address ?? summary.from,
    destination: [...envelope.to],
  }
}
