import type { SmsEventType, SmsFact } from '../../provider.ts'

/** Twilio's names of what it does with a message. `accepted` says no more than its answer did. */
const types = new Map<string, SmsEventType>(
  Object.entries({
    queued: 'queued',
    sending: 'queued',
    sent: 'sent',
    delivered: 'delivered',
    read: 'delivered',
    undelivered: 'undelivered',
    failed: 'failed',
    canceled: 'failed',
  }),
)

export type TwilioStatus = { MessageSid: string; MessageStatus: string; ErrorCode?: string; ErrorMessage?: string }

/** Null for what tells nothing new. Twilio tells no time, so it is that of hearing it. */
export function factOfStatus(status: TwilioStatus, messageId: string | null, at: Date): SmsFact | null {
  const { MessageSid, MessageStatus, ErrorCode, ErrorMessage } = status
  const type = types.get(MessageStatus)
  if (!type) return null
  const data = {
    messageStatus: MessageStatus,
    messageStatusDescription: ErrorMessage || null,
    ...(ErrorCode && { errorCode: ErrorCode }),
  }
  // Several of its names are one of ours, and are told once.
  return { factId: `${MessageSid}:${type}`, messageId, providerMessageId: MessageSid, type, at, data }
}
