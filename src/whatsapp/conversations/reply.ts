import type { App, Caller } from '../../context.ts'
import { orNotFound } from '../../platform/errors.ts'
import type { WhatsappMessage } from '../messages/schema.ts'
import { sendWhatsappMessage } from '../messages/send.ts'
import { findConversation } from './queries.ts'
import type { ReplyBody } from './schema.ts'

/** Sends a free-form message within a conversation, from its sender to its number. */
export async function replyToConversation(
  app: App,
  caller: Caller,
  id: string,
  { body }: ReplyBody,
): Promise<WhatsappMessage> {
  const conversation = await orNotFound('WhatsApp conversation', findConversation(app.db, caller.teamId, id))
  const { senderId, phoneNumber } = conversation
  return sendWhatsappMessage(app, caller, { senderId, to: phoneNumber, body }, null)
}
