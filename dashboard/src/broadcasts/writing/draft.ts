import type { NewBroadcast } from '../../api/shapes.ts'
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
export type DraftField = keyof Draft

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

export const labels: Record<DraftField, string> = {
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
const fields = Object.keys(labels) as DraftField[]

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

/** Returns the body of a new broadcast. Empty fields are left out, so that the server names those it needs. */
export function bodyOf(draft: Draft): NewBroadcast {
  const given = fields.filter((field) => draft[field] !== '').map((field) => [field, sentValue(draft, field)])
  return Object.fromEntries(given) as NewBroadcast
}

/** Returns the body of a change: the fields that differ from what is stored. */
export function changesOf(draft: Draft, stored: Draft): Record<string, string | null> {
  const changed = fields.filter((field) => draft[field] !== stored[field])
  return Object.fromEntries(changed.map((field) => [field, sentValue(draft, field)]))
}

function sentValue(draft: Draft, field: DraftField): string | null {
  const isNullable = ['topicId', 'html', 'text', 'replyTo', 'scheduledAt'].includes(field)
  if (draft[field] === '' && isNullable) return null
  return field === 'scheduledAt' ? fromLocal(draft[field]) : draft[field]
}
