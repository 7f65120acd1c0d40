import { oneOf } from '../../api/use-one.ts'
import type { AnySender } from '../../sms/senders/sender.ts'

export type WhatsappSender = AnySender & {
  phoneNumber: string
  displayName: string | null
  wabaId: string | null
  phoneNumberId: string | null
}

export const whatsappSendersPath = '/v1/whatsapp/senders'
export const whatsappSenderOf = (id: string) => oneOf<WhatsappSender>(whatsappSendersPath, id)
