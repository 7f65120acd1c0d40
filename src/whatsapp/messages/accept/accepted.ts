import type { WhatsappMessageJob } from '../../jobs.ts'
import type { SendingSender } from '../../senders/queries.ts'
import type { SendingTemplate } from '../../templates/queries.ts'
import type { WhatsappCommand } from './parse.ts'

/** A message that is about to be inserted. */
export type NewWhatsapp = {
  teamId: string
  id: string
  command: WhatsappCommand
  sender: SendingSender
  /** Undefined for a message of free text. */
  template: SendingTemplate | undefined
  conversationId: string
}

/** A durable message whose job this process holds. */
export type AcceptedWhatsapp = NewWhatsapp & { job: WhatsappMessageJob }
