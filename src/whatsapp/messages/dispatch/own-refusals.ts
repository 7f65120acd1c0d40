import type { App } from '../../../context.ts'
import { findErasedNumbers } from '../../../phone/find-erased.ts'
import { inactiveSender } from '../../../phone/hand-over.ts'
import type { WhatsappMessageJob } from '../../jobs.ts'
import { findMarketingStops } from '../../marketing/choices.ts'
import type { WhatsappAnswer } from '../../provider.ts'

const stopped = {
  kind: 'refused' as const,
  message: 'The recipient has stopped marketing messages since the message was accepted.',
  data: null,
}

const erasedRecipient = {
  kind: 'refused' as const,
  message: 'The recipient was erased since the message was accepted.',
  data: null,
}

const ownRefusals: WhatsappAnswer[] = [inactiveSender, stopped, erasedRecipient]

/** Tells whether the message was refused here, and the provider was not asked. */
export function isOwnRefusal(answer: WhatsappAnswer): boolean {
  return ownRefusals.includes(answer)
}

/**
 * Returns the refusal of a message that has waited, since its recipient may have stopped marketing or may have been
 * erased meanwhile. Null if it may be sent, or if the provider may have it already.
 */
export async function refusalOfWaiting(
  app: App,
  { teamId, key, payload }: WhatsappMessageJob,
): Promise<WhatsappAnswer | null> {
  const message = await app.db
    .selectFrom('whatsapp_messages')
    .select(['sender_id as senderId', 'to_number as phoneNumber'])
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .where('handed_over_at', 'is', null)
    .executeTakeFirst()
  if (!message) return null
  const erased = await findErasedNumbers(app, [{ teamId, number: message.phoneNumber }])
  if (erased.size > 0) return erasedRecipient
  if (payload.category !== 'marketing') return null
  const stops = await findMarketingStops(app.db, [{ teamId, ...message }])
  return stops.size > 0 ? stopped : null
}
