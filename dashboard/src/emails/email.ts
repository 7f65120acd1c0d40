import type { Mode } from '../api/mode.ts'
import { oneOf } from '../api/use-one.ts'

export type EmailItem = {
  id: string
  from: string
  to: string[]
  subject: string
  status: string
  mode: 'live' | 'test'
  domainName: string
  sentAt: string | null
  createdAt: string
}

export type Email = Omit<EmailItem, 'domainName' | 'sentAt'> & {
  cc: string[] | null
  bcc: string[] | null
  html: string | null
  text: string | null
  scheduledAt: string | null
}

export type Attachment = { filename: string | null; contentType: string; size: number }

/** How an email was sent. */
export type EmailMessage = {
  messageId: string
  replyTo: string | null
  headers: Record<string, string> | null
  tags: Record<string, unknown> | null
  via: string
  broadcastId: string | null
  executionId: string | null
  attachments: Attachment[]
}

export type EmailEvent = { id: string; type: string; createdAt: string; data: Record<string, unknown> | null }

export const emailOf = (id: string, mode: Mode) => oneOf<Email>('/v1/emails', id, '', mode)
export const messageOf = (id: string, mode: Mode) => oneOf<EmailMessage>('/v1/emails', id, '/message', mode)
export const eventsOf = (id: string, mode: Mode) => oneOf<EmailEvent[]>('/v1/emails', id, '/events', mode)

/** Stands for a missing subject. */
export function subjectOf({ subject }: { subject: string }): string {
  return subject.trim() === '' ? '(no subject)' : subject
}
