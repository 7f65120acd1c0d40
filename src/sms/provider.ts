import type { SmsStatus } from './messages/statuses.ts'
import type { SmsSenderType } from './senders/table.ts'

/**
 * The port every SMS provider fills, one file each under `providers/`. It is given one message and says what became of the
 * request; it never throws for what a peer does, makes one attempt, and knows nothing of rows, money or limits.
 */
export type OutboundSms = {
  teamId: string
  messageId: string
  /** The sender ID value: a number or a name. */
  from: string
  senderType: SmsSenderType
  /** What the provider called the sender when it was registered. */
  providerRef: string | null
  /** E.164. */
  to: string
  body: string
  messageType: 'transactional' | 'promotional'
}

/** What a provider reports about a message. */
export type SmsEventType = SmsStatus

/** One thing a provider says of one message, in its answer or later. `data` is what `GET …/events` shows. */
export type SmsFact = {
  /** The provider's own id of what it says, so that a repeat is known; unique for one provider. */
  factId: string
  /**
   * Ours, where the provider gives it back to us; else the message is found by the provider's id, and what comes before
   * that is known is lost. So have it given back.
   */
  messageId: string | null
  providerMessageId: string
  type: SmsEventType
  at: Date
  data: Record<string, unknown> | null
  /** What the carrier takes, as it was told: `0.00645`. */
  carrierPrice?: { amount: string; currency: string }
}

export type SmsAnswer =
  /** Taken; `facts` say what is known already beyond that. */
  | { kind: 'accepted'; providerMessageId: string; facts: SmsFact[] }
  /** An answer, and for good: stored as failed, not billed. */
  | { kind: 'refused'; message: string; data: Record<string, unknown> | null }
  /** Nothing was sent: it was out of reach, or said that it takes nothing now. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost after the request was written: it may have been sent, and is never repeated. */
  | { kind: 'unknown'; message: string }

export type SmsSenderRegistration = {
  teamId: string
  senderRowId: string
  name: string
  senderId: string
  senderType: SmsSenderType
  country: string
  defaultMessageType: 'transactional' | 'promotional'
}

export type SmsRegistrationAnswer =
  | { kind: 'active'; providerRef: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'unavailable'; message: string }

export type SmsProvider = {
  name: 'capture' | 'aws' | 'twilio'
  send(message: OutboundSms): Promise<SmsAnswer>
  registerSender(sender: SmsSenderRegistration): Promise<SmsRegistrationAnswer>
  close(): Promise<void>
}

/** A text message somebody wrote to one of our numbers; the numbers are in E.164 form, or short codes. */
export type InboundSms = {
  from: string
  to: string
  body: string
  /** When it was written, where the provider says so: a repeat, or one that comes late, is known by it. */
  at?: Date
  /** The provider's own id of it, its name in front: a repeat is known by it. */
  id?: string
}
