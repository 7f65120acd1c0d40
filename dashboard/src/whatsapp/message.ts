import { useQuery } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { oneOf } from '../api/use-one.ts'
import type { PhoneEvent } from '../sms/message.ts'
import type { WhatsappSender } from './senders/sender.ts'
import type { Template } from './templates/template.ts'

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

const optionsMax = 100

/** The senders of the team, for choosing one. */
export function useWhatsappSenders(): WhatsappSender[] | undefined {
  return useQuery({
    queryKey: keys.part('whatsapp/senders', 'options'),
    queryFn: ({ signal }) => get<Page<WhatsappSender>>(`/v1/whatsapp/senders?limit=${optionsMax}`, { signal }),
  }).data?.data
}

/** The templates of the team, for choosing one. */
export function useWhatsappTemplates(): Template[] | undefined {
  return useQuery({
    queryKey: keys.part('whatsapp/templates', 'options'),
    queryFn: ({ signal }) => get<Page<Template>>(`/v1/whatsapp/templates?limit=${optionsMax}`, { signal }),
  }).data?.data
}
