import type { Answer, RowOf } from '../api/request.ts'
import { oneOf } from '../api/use-one.ts'

export type MessageWithEvents = Answer<'/v1/whatsapp/messages/:id'>
export type Message = Conversation['messages'][number]
export type ConversationItem = RowOf<'/v1/whatsapp/conversations'>
export type Conversation = Answer<'/v1/whatsapp/conversations/:id'>

export const conversationOf = (id: string) => oneOf('/v1/whatsapp/conversations/:id', { id })
export const messageOf = (id: string) => oneOf('/v1/whatsapp/messages/:id', { id })
