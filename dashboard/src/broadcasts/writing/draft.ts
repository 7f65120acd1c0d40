import { firstCharacters } from '../../../../src/platform/text/cut.ts'
import { filled } from '../../api/objects.ts'
import { difference } from '../../typing/merge.ts'
import { fromLocal, toLocal } from '../../ui/form/local-time.ts'
import type { Broadcast } from '../broadcast.ts'

/** The fields of a draft as a form holds them. Empty is none. */
export type Draft = {
  name: string
  from: string
  segmentId: string
  topicId: string
  subject: string
  html: string
  text: string
  replyTo: string
  scheduledAt: string
}

export const emptyDraft: Draft = {
  name: '',
  from: '',
  segmentId: '',
  topicId: '',
  subject: '',
  html: '',
  text: '',
  replyTo: '',
  scheduledAt: '',
}

export const labels: Record<keyof Draft, string> = {
  name: 'Name',
  from: 'From',
  segmentId: 'Segment',
  topicId: 'Topic',
  subject: 'Subject',
  html: 'HTML',
  text: 'Text',
  replyTo: 'Reply to',
  scheduledAt: 'Send at',
}

export function draftOf(broadcast: Broadcast): Draft {
  const { name, from, segmentId, topicId, subject, html, text, replyTo, scheduledAt } = broadcast
  return {
    ...{ name, from, segmentId, subject },
    topicId: topicId ?? '',
    html: html ?? '',
    text: text ?? '',
    replyTo: replyTo ?? '',
    scheduledAt: toLocal(scheduledAt),
  }
}

/** The server's limit, in characters. */
export const broadcastNameMax = 200
const suffix = ' (copy)'

/** Returns the name of a copy of a broadcast. A long name is cut, and the suffix stays. */
export function nameOfCopy(name: string): string {
  return firstCharacters(name, broadcastNameMax - suffix.length) + suffix
}

/** Returns the body of a new broadcast. Empty fields are left out, so that the server names those it needs. */
export function bodyOf(draft: Draft) {
  return filled(sentOf(draft))
}

/** Returns the body of a change: the fields that differ from what is stored. */
export function changesOf(draft: Draft, stored: Draft) {
  return difference(sentOf(draft), sentOf(stored))
}

function sentOf({ topicId, html, text, replyTo, scheduledAt, ...needed }: Draft) {
  return {
    ...needed,
    topicId: topicId || null,
    html: html || null,
    text: text || null,
    replyTo: replyTo || null,
    scheduledAt: fromLocal(scheduledAt) || null,
  }
}
