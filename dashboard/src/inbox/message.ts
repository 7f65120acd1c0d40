import { queryOptions } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import { keys } from '../api/keys.ts'
import { oneOf } from '../api/use-one.ts'
import type { Attachment } from '../emails/email.ts'

export type InboxItem = {
  id: string
  emailId: string
  from: string
  to: string[]
  subject: string
  createdAt: string
}

export type InboxMessage = InboxItem & {
  cc: string[] | null
  bcc: string[] | null
  html: string | null
  text: string | null
  headers: Record<string, string>
  attachments: Attachment[]
}

export const inboxPath = '/v1/inbox'

export const inboxMessageOf = (id: string) => oneOf<InboxMessage>(inboxPath, id)

/** The message as it was captured, with its headers. */
export const rawOf = (id: string) =>
  queryOptions({
    queryKey: keys.one('inbox', id, 'raw'),
    queryFn: ({ signal }) => get<string>(`${inboxPath}/${id}`, { signal, accept: 'message/rfc822' }),
  })
