import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'

export type WhatsappSender = Answer<'/v1/whatsapp/senders/:id'>

export const whatsappSenderOf = (id: string) => oneOf('/v1/whatsapp/senders/:id', { id })
