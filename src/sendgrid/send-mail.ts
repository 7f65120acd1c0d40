import type { FastifyReply } from 'fastify'
import type { App, Caller } from '../context.ts'
import { checkBatch, refuseLongBatch, sendBatch } from '../emails/messages/send-batch.ts'
import { refuseUntracked } from '../emails/tracking/refuse-untracked.ts'
import { emailsOf } from './emails-of.ts'
import { refuseLacking } from './lacking.ts'
import type { MailBody } from './mail-body.ts'

type Given = { body: MailBody; key: string | null; reply: FastifyReply }

/**
 * Sends the email of each personalization, all of them or none. The answer is empty; `x-message-id` is the id of the
 * first email. In sandbox mode nothing is sent, and the status is 200.
 */
export async function sendMail(app: App, caller: Caller, { body, key, reply }: Given): Promise<string> {
  refuseLacking(body)
  // Before texts are filled, which costs time and memory for each email.
  refuseLongBatch(caller, body.personalizations.length)
  const emails = await emailsOf(body)
  const froms = emails.map(({ from }) => from)
  await refuseUntracked(app.db, caller.teamId, froms, switchedOff(body))
  if (body.mail_settings?.sandbox_mode?.enable) {
    await checkBatch(app, caller, emails)
    reply.status(200)
    return ''
  }
  const { data } = await sendBatch(app, caller, emails, key, body)
  reply.header('X-Message-Id', data[0]!.id)
  return ''
}

function switchedOff({ tracking_settings: { click_tracking: clicks, open_tracking: opens } = {} }: MailBody) {
  return [
    ...(clicks?.enable === false ? [{ path: 'tracking_settings.click_tracking', what: 'clickTracking' as const }] : []),
    ...(opens?.enable === false ? [{ path: 'tracking_settings.open_tracking', what: 'openTracking' as const }] : []),
  ]
}
