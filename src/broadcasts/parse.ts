import type { Caller, Tx } from '../context.ts'
import { mailboxFault, parseMailbox, storedMailbox } from '../emails/mailbox.ts'
import { type FieldError, invalid, invalidFields } from '../platform/errors.ts'
import { teamsReachedBy } from '../platform/mode/caller.ts'
import { domainOf } from '../platform/text/mail-address.ts'
import { lockSegment } from '../segments/group.ts'
import { placeholdersFault } from '../templates/placeholder.ts'
import { lockTopic } from '../topics/group.ts'
import { textFromHtml } from './content/text-from-html.ts'
import type { BroadcastChanges } from './schema.ts'

/** Checks what the schema cannot. Throws `invalid` naming every fault. */
export function checkFields({ from, replyTo, subject, html, text, scheduledAt }: BroadcastChanges, now: Date): void {
  const faults: FieldError[] = []
  for (const [path, text] of Object.entries({ from, replyTo })) {
    const message = text ? mailboxFault(text) : null
    if (message !== null) faults.push({ path, message })
  }
  if (subject !== undefined && /[\r\n]/.test(subject)) {
    faults.push({ path: 'subject', message: 'must not hold a line break' })
  }
  for (const [path, body] of Object.entries({ html, text })) {
    const message = body ? placeholdersFault(body) : null
    if (message !== null) faults.push({ path, message })
  }
  if (scheduledAt && new Date(scheduledAt) <= now) {
    faults.push({ path: 'scheduledAt', message: 'must be in the future; leave it out to send at once' })
  }
  if (faults.length > 0) throw invalidFields(faults)
}

/**
 * Turns the fields that a request names into columns of the row. Throws `invalid` for ids that the caller does not
 * reach.
 */
export async function columnsOf(tx: Tx, caller: Caller, fields: BroadcastChanges) {
  const { name, from, segmentId, topicId, replyTo, subject, scheduledAt } = fields
  return {
    ...(name !== undefined && { name }),
    ...(from !== undefined && {
      from_address: storedMailbox(from),
      domain_name: domainOf(parseMailbox(from)!.address),
    }),
    ...(segmentId !== undefined && { segment_id: segmentId, segment_name: await nameOfSegment(tx, caller, segmentId) }),
    ...(topicId !== undefined && { topic_id: topicId && (await knownTopic(tx, caller, topicId)) }),
    ...(replyTo !== undefined && { reply_to: replyTo && storedMailbox(replyTo) }),
    ...(subject !== undefined && { subject }),
    ...(scheduledAt !== undefined && { scheduled_at: scheduledAt === null ? null : new Date(scheduledAt) }),
  }
}

type Bodies = { html: string | null; text: string | null; text_made: boolean }

/** Returns the bodies after a change. A text that was made from the HTML is made again; a text that was given stays. */
export function bodiesAfter(before: Bodies, { html, text }: Pick<BroadcastChanges, 'html' | 'text'>): Bodies {
  const htmlAfter = html === undefined ? before.html : html || null
  const written = text === undefined ? (before.text_made ? null : before.text) : text || null
  if (written !== null || htmlAfter === null) return { html: htmlAfter, text: written, text_made: false }
  return { html: htmlAfter, text: textFromHtml(htmlAfter), text_made: true }
}

async function nameOfSegment(tx: Tx, caller: Caller, segmentId: string): Promise<string> {
  const segment = await lockSegment(tx, teamsReachedBy(caller), segmentId)
  if (!segment) throw invalid('segmentId', 'is not a segment of this team')
  return segment.name
}

async function knownTopic(tx: Tx, caller: Caller, topicId: string): Promise<string> {
  if (!(await lockTopic(tx, teamsReachedBy(caller), topicId))) throw invalid('topicId', 'is not a topic of this team')
  return topicId
}
