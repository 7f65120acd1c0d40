import Type from 'typebox'
import { Page, Resource, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'

export const InboxSmsPage = Page(
  Resource('InboxSms', {
    id: Uuid,
    messageId: Uuid,
    from: Type.String({ description: 'The sender ID, as recipients see it.', examples: ['Posthorn'] }),
    to: Type.String({ examples: ['+61491570156'] }),
    body: Type.String({ examples: ['Your order has shipped.'] }),
    createdAt: Timestamp,
  }),
)
