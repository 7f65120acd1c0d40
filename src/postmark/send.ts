import type { App, Caller } from '../context.ts'
import { parseEmail, renderCommand } from '../emails/messages/accept/parse.ts'
import { sendOnce } from '../emails/messages/send.ts'
import { refuseUntracked } from '../emails/tracking/refuse-untracked.ts'
import { requestKey } from '../platform/idempotency/keys.ts'
import { emailOf } from './email-of.ts'
import type { Message } from './message.ts'

export type Sent = { To: string; SubmittedAt: Date | string; MessageID: string; ErrorCode: 0; Message: 'OK' }

export const sendEndpoint = 'POST /postmark/email'

/** Sends one message. `endpoint` tells apart requests that carry the same idempotency key. */
export async function sendMessage(
  app: App,
  caller: Caller,
  message: Message,
  { key, endpoint }: { key: string | null; endpoint: string },
): Promise<Sent> {
  const email = emailOf(message)
  await refuseUntracked(app.db, caller.teamId, [email.from], switchedOff(message))
  const sent = await sendOnce(app, caller, email.from, requestKey(caller.teamId, endpoint, key, message), () =>
    renderCommand(app.db, caller.teamId, email, parseEmail(email, app.clock.now())),
  )
  const { id: MessageID, createdAt: SubmittedAt } = sent
  return { To: message.To!, SubmittedAt, MessageID, ErrorCode: 0, Message: 'OK' }
}

function switchedOff({ TrackOpens: opens, TrackLinks: links }: Message) {
  return [
    ...(opens === false ? [{ path: 'TrackOpens', what: 'openTracking' as const }] : []),
    ...(links === 'None' ? [{ path: 'TrackLinks', what: 'clickTracking' as const }] : []),
  ]
}
