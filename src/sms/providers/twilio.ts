import { type FailureLog, noteFailures } from '../../platform/log/note-failures.ts'
import { defineSmsProvider, type SmsProvider } from '../provider.ts'
import { type TwilioAccount, twilioClient } from './twilio/client.ts'
import { judgeAnswer } from './twilio/judge-answer.ts'
import { registerSender } from './twilio/register-sender.ts'
import { twilioRoutes } from './twilio/routes.ts'
import { twilioSettings } from './twilio/settings.ts'
import { readPrice } from './twilio/statuses.ts'

export const twilio = defineSmsProvider({
  name: 'twilio',
  about: 'Sends through Twilio; see [text-messages.md](text-messages.md).',
  settings: twilioSettings,
  routes: twilioRoutes,
  warn: ({ publicUrl }) =>
    publicUrl === null ? 'PUBLIC_URL is not set, so Twilio cannot report what becomes of messages.' : null,
  create: (settings, { config: { publicUrl }, clock, log, names: { resolve } }) =>
    twilioProvider({
      ...settings,
      resolve,
      // Twilio refuses a message whose callback is a loopback address.
      callbackUrl: publicUrl === null ? null : `${publicUrl}/providers/twilio/sms`,
      now: () => clock.now(),
      log,
    }),
})

export type TwilioOptions = TwilioAccount & {
  messagingServiceSid: string | null
  /** The address for statuses of messages; null if Twilio could not reach it. */
  callbackUrl: string | null
  now(): Date
  log: FailureLog
  timeoutMs?: number
}

/** Less than the 30 s for which a process holds a message. */
const usualTimeoutMs = 20_000

/** Sends through Twilio. */
export function twilioProvider({ messagingServiceSid, callbackUrl, now, log, ...rest }: TwilioOptions): SmsProvider {
  const client = twilioClient(rest, rest.timeoutMs ?? usualTimeoutMs)
  const failures = noteFailures(log, 'Twilio')
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
    async findPrice(providerMessageId) {
      const answer = await client.get(`/Messages/${encodeURIComponent(providerMessageId)}`, {})
      return answer.kind === 'answered' ? readPrice(answer.body.price, answer.body.price_unit) : null
    },
    close: () => client.close(),
  }
}
