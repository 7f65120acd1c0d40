import { oneOf } from '../api/use-one.ts'
import type { PhoneEvent } from '../sms/message.ts'

export type Message = {
  id: string
  senderId: string
  conversationId: string
  direction: 'inbound' | 'outbound'
  to: string
  from: string
  templateId: string | null
  templateName: string | null
  variables: string[] | null
  body: string
  status: string
  providerMessageId: string | null
  error: string | null
  mode: 'live' | 'test'
  createdAt: string
  sentAt: string | null
}

export type MessageWithEvents = Message & { events: PhoneEvent[] }

export type ConversationItem = {
  id: string
  senderId: string
  phoneNumber: string
  contactName: string | null
  windowOpen: boolean
  windowExpiresAt: string | null
  lastMessageAt: string
  lastMessagePreview: string
  createdAt: string
}

export type Conversation = ConversationItem & { messages: Message[] }

export const conversationsPath = '/v1/whatsapp/conversations'
export const messagesPath = '/v1/whatsapp/messages'

export const conversationOf = (id: string) => oneOf<Conversation>(conversationsPath, id)
export const messageOf = (id: string) => oneOf<MessageWithEvents>(messagesPath, id)
