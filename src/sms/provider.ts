import type { Logger } from 'pino'
import type { Config } from '../context.ts'
import type { Mode } from '../platform/mode/mode.ts'
import type { Names } from '../platform/names/names.ts'
import { declaresProviders, type ProviderModule } from '../platform/provider.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { SmsStatus } from './messages/statuses.ts'
import type { KeywordAction } from './opt-outs/keywords.ts'
import type { SmsSenderType } from './senders/table.ts'

declare module '../context.ts' {
  interface Providers {
    sms: Record<Mode, SmsProvider>
  }
}

/**
 * One message, as an SMS provider receives it. A provider makes one attempt and reports the outcome as a value: it does
 * not throw when the other side fails, and it knows nothing about rows, money or limits. Each provider is one module
 * under `providers/`.
 */
export type OutboundSms = {
  teamId: string
  messageId: string
  /** The sender ID, a number or a name. */
  from: string
  senderType: SmsSenderType
  /** The provider's identifier of the sender, from its registration. */
  providerRef: string | null
  /** E.164. */
  to: string
  body: string
  messageType: 'transactional' | 'promotional'
}

export type SmsEventType = SmsStatus

/** One event of one message, from the provider's answer or a later receipt. `GET …/events` shows `data`. */
export type SmsFact = {
  /** Recognizes a repeat. Unique for one provider. */
  factId: string
  /**
   * Our id of the message, if the provider returns it. Otherwise the message is found by the provider's id, and facts
   * that arrive before that id is stored are lost. So ask the provider to return our id.
   */
  messageId: string | null
  providerMessageId: string
  type: SmsEventType
  at: Date
  data: Record<string, unknown> | null
  /** The carrier's price, if this fact contains it. */
  carrierPrice?: SmsPrice
  /** True if the provider did not send the message because the person has opted out with it. */
  isOptOut?: boolean
}

/** The amount in decimal digits as it was reported, such as `0.00645`; the currency in letters of ISO 4217. */
export type SmsPrice = { amount: string; currency: string }

export type SmsAnswer =
  /** Accepted. `facts` are further events in the provider's answer. */
  | { kind: 'accepted'; providerMessageId: string; facts: SmsFact[] }
  /**
   * Refused permanently. The message is stored as failed and not billed. `isOptOut`: the person has opted out with the
   * provider.
   */
  | { kind: 'refused'; message: string; data: Record<string, unknown> | null; isOptOut?: boolean }
  /** Nothing was sent, because the provider cannot be reached or accepts nothing at the moment. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost after the request was written. The message may have been sent and is never repeated. */
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
  /** `rejected`: the carrier does not allow the sender; `failed`: the sender has any other fault. */
  | { kind: 'failed' | 'rejected'; reason: string }
  | { kind: 'unavailable'; message: string }

export type SmsProvider = {
  name: string
  send(message: OutboundSms): Promise<SmsAnswer>
  registerSender(sender: SmsSenderRegistration): Promise<SmsRegistrationAnswer>
  /**
   * Returns the price of a sent message; null while it is unknown or cannot be asked for. Left out if facts contain it.
   */
  findPrice?(providerMessageId: string): Promise<SmsPrice | null>
  close(): Promise<void>
}

/** A text message to one of our numbers. The numbers are in E.164 form or short codes. */
export type InboundSms = {
  from: string
  to: string
  body: string
  /** The time the message was written, if the provider gives it. It reveals repeats and late messages. */
  at?: Date
  /** The provider's id of the message, prefixed with the provider's name. It reveals repeats. */
  id?: string
  /** The provider's own reading of the message. It counts in place of the keyword. */
  action?: KeywordAction
}

/** The parts of the app that a provider may use. */
type SmsProviderParts = {
  config: Config
  clock: Clock
  log: Logger
  names: Names
  /** Keeps a message in the inbox, for `capture`. */
  store(message: OutboundSms): Promise<void>
}

export type SmsProviderModule = ProviderModule<SmsProviderParts, SmsProvider>

export const defineSmsProvider = declaresProviders<SmsProviderParts, SmsProvider>()
