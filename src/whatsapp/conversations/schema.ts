import Type, { type Static } from 'typebox'
import {
  Body,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'
import { MessageBody, WhatsappMessage } from '../messages/schema.ts'
import { PhoneNumber } from '../phone-number.ts'

const conversation = {
  id: Uuid,
  senderId: Uuid,
  phoneNumber: Type.String({ ...PhoneNumber, description: "The customer's." }),
  contactName: Nullable(Type.String({ description: 'As the customer calls himself.', examples: ['Ada'] })),
  windowOpen: Type.Boolean({ description: 'Whether a free-form message can be sent now.' }),
  windowExpiresAt: NullableTimestamp,
  lastMessageAt: Timestamp,
  lastMessagePreview: Type.String({ description: 'Its first 120 characters.' }),
  createdAt: Timestamp,
}

export const ConversationList = Page(Resource('WhatsappConversationListItem', conversation))

export const Conversation = Resource(
  'WhatsappConversation',
  {
    ...conversation,
    messages: Type.Array(WhatsappMessage, { description: 'Oldest first; the newest 1000 or 4 MiB.' }),
  },
  { 'x-extends': 'WhatsappConversationListItem' },
)

export const ReplyBody = Body('WhatsappReply', { body: MessageBody })
export type ReplyBody = Static<typeof ReplyBody>
