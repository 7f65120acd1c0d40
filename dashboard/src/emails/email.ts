import type { Mode } from '../api/mode.ts'
import type { Answer, RowOf } from '../api/request.ts'
import { oneOf } from '../api/use-one.ts'

export type EmailItem = RowOf<'/v1/emails'>
export type Email = Answer<'/v1/emails/:id'>
/** How an email was sent. */
export type EmailMessage = Answer<'/v1/emails/:id/message'>
export type EmailEvent = RowOf<'/v1/emails/:id/events'>
export type Attachment = Pick<EmailMessage['attachments'][number], 'filename' | 'contentType' | 'size'>

export const emailOf = (id: string, mode: Mode) => oneOf('/v1/emails/:id', { id, mode })
export const messageOf = (id: string, mode: Mode) => oneOf('/v1/emails/:id/message', { id, mode })
export const eventsOf = (id: string, mode: Mode) => oneOf('/v1/emails/:id/events', { id, mode })
