import Type, { type Static } from 'typebox'
import { FileSummary } from '../emails/show/routes.ts'
import { ListQueryOf, Nullable, Page, Resource, Search, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

export const InboxQuery = ListQueryOf({ search: Search })
export type InboxQuery = Static<typeof InboxQuery>

const Addresses = Type.Array(Type.String({ examples: ['Ada <ada@example.com>'] }))

const fields = {
  id: Uuid,
  emailId: Uuid,
  from: Type.String({ examples: ['Shop <hello@sandbox.test>'] }),
  to: Addresses,
  subject: Type.String({ examples: ['Your order has shipped'] }),
  createdAt: Timestamp,
}

export const InboxPage = Page(Resource('InboxListItem', fields))

export const InboxMessage = Resource('InboxMessage', {
  ...fields,
  cc: Nullable(Addresses),
  bcc: Nullable(Addresses),
  html: Nullable(Type.String()),
  text: Nullable(Type.String()),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Decoded headers by name. The values of a repeated header are separated by line breaks.',
    examples: [{ Subject: 'Your order has shipped', 'X-Order': '1024' }],
  }),
  attachments: Type.Array(FileSummary),
})

export const Emptied = Resource('InboxCleared', {
  deleted: Type.Integer({ description: 'How many messages there were.' }),
})
