import { type FailureLog, noteFailures } from '../../platform/note-failures.ts'
import type { SmsProvider } from '../provider.ts'
import { type TwilioAccount, twilioClient } from './twilio/client.ts'
import { judgeAnswer } from './twilio/judge-answer.ts'
import { registerSender } from './twilio/register-sender.ts'

export type TwilioOptions = TwilioAccount & {
  messagingServiceSid: string | null
  /** Where Twilio tells what became of messages; null where it could not reach us. */
  callbackUrl: string | null
  now(): Date
  log: FailureLog
  timeoutMs?: number
}

/** Shorter than the 30 s for which a process holds a message. */
const usualTimeoutMs = 20_000

/** `SMS_PROVIDER=twilio`. */
export function twilioProvider({ messagingServiceSid, callbackUrl, now, log, ...rest }: TwilioOptions): SmsProvider {
  const client = twilioClient(rest, rest.timeoutMs ?? usualTimeoutMs)
  const failures = noteFailures(log, 'Twilio')
  if (callbackUrl === null) log.warn({}, 'Twilio is not asked what becomes of messages: set PUBLIC_URL')
  return {
    name: 'twilio',
    async send({ messageId, from, to, body }) {
      const form = {
        To: to,
        From: from,
        Body: body,
        ...(messagingServiceSid !== null && { MessagingServiceSid: messagingServiceSid }),
        ...(callbackUrl !== null && { StatusCallback: `${callbackUrl}?message=${messageId}` }),
      }
      const answer = judgeAnswer(await client.post('/Messages', form), messageId, now())
      if (answer.kind === 'unavailable' || answer.kind === 'unknown') failures.note(answer.message)
      else failures.clear()
      return answer
    },
    registerSender: (sender) => registerSender(client, sender),
    close: () => client.close(),
  }
}
