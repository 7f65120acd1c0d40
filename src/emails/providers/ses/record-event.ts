import { createHash } from 'node:crypto'
import type { App } from '../../../context.ts'
import type { Fact } from '../../dispatch/feedback.ts'
import { recordFacts } from '../../dispatch/feedback.ts'
import { findNotified } from './find-notified.ts'
import { factsOfEvent, readSesEvent, type SesEvent } from './read-event.ts'
import type { SnsMessage } from './sns/message.ts'

/** Records what an event says of its email. What is no event, or of no email of ours, is passed over. */
export async function recordSesEvent(app: App, message: SnsMessage): Promise<void> {
  const event = readSesEvent(message.Message)
  if (!event) return
  const isKnown = await app.transaction(async (tx) => {
    const email = await findNotified(tx, app.keyring, event.mail)
    if (!email) return false
    const facts = factsOfEvent(event, email.recipients)
    const providerEventId = eventId(event, message.MessageId)
    const { teamId, emailId } = email
    if (facts.length > 0)
      await recordFacts(tx, [{ teamId, emailId, facts, settled: facts.some(endsHandOver), providerEventId }])
    return true
  })
  if (!isKnown) app.log.debug({ type: event.type, sesMessageId: event.mail.messageId }, 'an event of no email of ours')
}

/**
 * One event may come by several ways: repeated, or through a configuration set as well as an identity. So it is known by
 * what it says where that is unique, and by the message it came in where a recipient may do the same twice at a time.
 */
function eventId({ type, mail, detail }: SesEvent, snsMessageId: string): string {
  const own = type === 'Open' || type === 'Click' ? snsMessageId : (detail.feedbackId ?? delayOf(type, detail))
  return createHash('sha256')
    .update(JSON.stringify(['ses', mail.messageId, type, own]))
    .digest('base64url')
}

/** Mail is delayed more than once. */
function delayOf(type: string, detail: Record<string, unknown>): unknown {
  return type === 'DeliveryDelay' ? detail.timestamp : null
}

/** Where a process died between handing over and recording, the email has been sent all the same. */
function endsHandOver(fact: Fact): boolean {
  return fact.type === 'delivered' || fact.type === 'complained' || fact.permanent === true
}
