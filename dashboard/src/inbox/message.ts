import { queryOptions } from '@tanstack/react-query'
import { get, withQuery } from '../api/call.ts'
import { keys } from '../api/keys.ts'
import type { Mode } from '../api/mode.ts'
import { oneOf } from '../api/use-one.ts'
import type { Attachment } from '../emails/email.ts'

/** A channel whose captured messages are conversations with a phone. */
export type Channel = 'sms' | 'whatsapp'

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

export const inboxMessageOf = (id: string, mode: Mode) => oneOf<InboxMessage>(inboxPath, id, '', mode)

/** The message as it was captured, with its headers. */
export const rawOf = (id: string, mode: Mode) =>
  queryOptions({
    queryKey: keys.one('inbox', id, 'raw', { mode }),
    queryFn: ({ signal }) =>
      get<string>(withQuery(`${inboxPath}/${id}`, { mode }), { signal, accept: 'message/rfc822' }),
  })
