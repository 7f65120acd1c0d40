import Type, { type Static } from 'typebox'
import { ListQueryOf, Nullable, Page, Resource, Search, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'

export const InboxWhatsappQuery = ListQueryOf({ search: Search })
export type InboxWhatsappQuery = Static<typeof InboxWhatsappQuery>

export const InboxWhatsappPage = Page(
  Resource('InboxWhatsapp', {
    id: Uuid,
    messageId: Uuid,
    from: Type.String({ examples: ['+447700900100'] }),
    to: Type.String({ examples: ['+447700900123'] }),
    body: Type.String({ examples: ['Hello Ada, your order 4711 has shipped.'] }),
    templateName: Nullable(Type.String({ examples: ['order_shipped'] })),
    createdAt: Timestamp,
  }),
)
