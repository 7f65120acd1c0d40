import { createHash } from 'node:crypto'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import type { Keyring } from '../../../platform/keyring.ts'
import type { SnsMessage } from '../../../platform/sns/message.ts'
import type { EmailFact } from '../../messages/facts/consequences.ts'
import { recordEmailFacts } from '../../messages/facts/record.ts'
import { findNotified } from './find-notified.ts'
import { factsOfEvent, readSesEvent, type SesEvent } from './read-event.ts'

/** Records what an event says of its email. What is no event, or of no email of ours, is passed over. */
export async function recordSesEvent(app: App, message: SnsMessage): Promise<void> {
  const event = readSesEvent(message.Message)
  if (!event) return
  if (!(await recordGathered(app, { event, message })))
    app.log.debug({ type: event.type, sesMessageId: event.mail.messageId }, 'an event of no email of ours')
}

type Notified = { event: SesEvent; message: SnsMessage }

/** Whether the event is of an email of ours. There are more events than emails, so they share their commits as emails do. */
const recordGathered = gatheredFor(
  (app: App, batch: Notified[]) =>
    app.transaction(async (tx) => {
      const known: boolean[] = []
      for (const notified of batch) known.push(await record(tx, app.keyring, notified))
      return known
    }),
  { itemsMax: 50, flushesMax: 1 },
)

async function record(tx: Tx, keyring: Keyring, { event, message }: Notified): Promise<boolean> {
  const email = await findNotified(tx, keyring, event.mail)
  if (!email) return false
  const facts = factsOfEvent(event, email.recipients)
  const providerEventId = eventId(event, message.MessageId)
  const { teamId, emailId } = email
  if (facts.length > 0)
    await recordEmailFacts(tx, [{ teamId, emailId, facts, settled: facts.some(endsHandOver), providerEventId }])
  return true
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
function endsHandOver(fact: EmailFact): boolean {
  return fact.type === 'delivered' || fact.type === 'complained' || fact.permanent === true
}
