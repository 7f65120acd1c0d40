import { createHash } from 'node:crypto'
import type { App, Tx } from '../../../context.ts'
import { settingsOf } from '../../../platform/environment/settings.ts'
import type { Keyring } from '../../../platform/keys/keyring.ts'
import { keptAddress } from '../../../platform/network/network.ts'
import type { SnsMessage } from '../../../platform/sns/message.ts'
import { receiveSns } from '../../../platform/sns/receive.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import type { EmailFact, FactsOfEmail } from '../../messages/facts/consequences.ts'
import { recordEmailFacts } from '../../messages/facts/record.ts'
import { recipientsMax } from './bounds.ts'
import { findNotified } from './find-notified.ts'
import { factsOfEvent, readSesEvent, type SesEvent } from './read-event.ts'
import { sesSettings } from './settings.ts'
import { withoutErased } from './without-erased.ts'

/** Receives what Amazon SNS posts about emails. A repeated message changes nothing. */
export function receiveSesEvent(app: App, body: unknown): Promise<{ received: true }> {
  const { topicArns, endpoint: standIn } = settingsOf(app.config, sesSettings)
  const source = { service: 'Amazon SES', variable: 'SES_TOPIC_ARNS', topicArns, standIn }
  return receiveSns(app, body, source, (message) => recordSesEvent(app, message))
}

/** Records what an event reports about its email. Other messages and events of other mail are ignored. */
async function recordSesEvent(app: App, message: SnsMessage): Promise<void> {
  const read = readSesEvent(message.Message)
  if (!read) return
  const event = withKeptAddress(app, read)
  if (!(await recordGathered(app, { event, message })))
    app.log.debug({ type: event.type, sesMessageId: event.mail.messageId }, 'ignored an event of mail that is not ours')
}

/** Keeps the address of a reader, which Amazon tells whole, as `CLIENT_ADDRESSES` says. */
function withKeptAddress({ config }: App, event: SesEvent): SesEvent {
  const { type, detail, payload } = event
  const { ipAddress } = detail
  if ((type !== 'Open' && type !== 'Click') || typeof ipAddress !== 'string') return event
  const kept = { ...detail, ipAddress: keptAddress(config, ipAddress) }
  return { ...event, detail: kept, payload: { ...payload, [type.toLowerCase()]: kept } }
}

type Notified = { event: SesEvent; message: SnsMessage }

/**
 * True if the event belongs to an email of ours. Events that arrive together share a commit, since they outnumber
 * emails.
 */
const recordGathered = gatheredFor(
  (app: App, batch: Notified[]) =>
    app.transaction(async (tx) => {
      const found: (FactsOfEmail[] | null)[] = []
      for (const notified of batch) found.push(await newsOf(tx, app.keyring, notified))
      const facts = found.flatMap((news) => news ?? [])
      await recordEmailFacts(tx, facts)
      return found.map((news) => news !== null)
    }),
  { itemsMax: 50, flushesMax: 1 },
)

/** Returns what an event tells of its email. Null if it is not of an email of ours. */
async function newsOf(tx: Tx, keyring: Keyring, { event, message }: Notified): Promise<FactsOfEmail[] | null> {
  const email = await findNotified(tx, keyring, event.mail)
  if (!email) return null
  const shown = email.hasErased ? await withoutErased(tx, email.teamId, event) : event
  const facts = factsOfEvent(shown, email.recipients)
  const providerEventId = eventId(event, message.MessageId)
  const { teamId, emailId, recipients, isUnderWay } = email
  // More recipients have calls of their own, and an event about one call says nothing about the others.
  const isTaken = recipients.length <= recipientsMax
  const settled = isTaken && facts.some(endsHandOver)
  return facts.length > 0 || isUnderWay ? [{ teamId, emailId, facts, settled, providerEventId, isTaken }] : []
}

/**
 * Makes an id by which a repeat is recognized. The same event may arrive twice, or through a configuration set and an
 * identity, so its content identifies it. Opens and clicks can be equal and still be two, so there the SNS message
 * identifies it.
 */
function eventId({ type, mail, detail }: SesEvent, snsMessageId: string): string {
  const own = type === 'Open' || type === 'Click' ? snsMessageId : (detail.feedbackId ?? delayOf(type, detail))
  return createHash('sha256')
    .update(JSON.stringify(['ses', mail.messageId, type, own]))
    .digest('base64url')
}

/** The time distinguishes repeated delays of one email. */
function delayOf(type: string, detail: Record<string, unknown>): unknown {
  return type === 'DeliveryDelay' ? detail.timestamp : null
}

/** True for a fact that proves the email was sent, even if the process died before recording that. */
function endsHandOver(fact: EmailFact): boolean {
  return fact.type === 'delivered' || fact.type === 'complained' || fact.permanent === true
}
