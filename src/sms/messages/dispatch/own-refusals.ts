import type { App } from '../../../context.ts'
import { inactiveSender } from '../../../phone/hand-over.ts'
import { readNumber } from '../../../phone/phone-number.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { findOptedOut } from '../../opt-outs/queries.ts'
import type { SmsAnswer } from '../../provider.ts'

function refusal(message: string) {
  return { kind: 'refused' as const, message, data: null }
}

const optedOut = refusal('The recipient has opted out since the message was accepted.')
const forgotten = refusal('The recipient was erased since the message was accepted.')
const ownRefusals: SmsAnswer[] = [inactiveSender, optedOut, forgotten]

/** Tells whether the provider itself said what became of the message. */
export function isOfProvider(answer: SmsAnswer): boolean {
  return answer.kind !== 'unknown' && !ownRefusals.includes(answer)
}

/**
 * Returns the refusal of a message that has waited, since its recipient may have opted out meanwhile. Null if it may be
 * sent, or if the provider may have it already.
 */
export async function refusalOfWaiting(app: App, { teamId, key }: TeamJob): Promise<SmsAnswer | null> {
  const message = await app.db
    .selectFrom('sms_messages')
    .select('to_number as to')
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .where('handed_over_at', 'is', null)
    .executeTakeFirst()
  if (!message) return null
  if (message.to === erased) return forgotten
  const number = readNumber(message.to).normalized
  const found = await app.transaction((tx) => findOptedOut(tx, [{ teamId, number }]))
  return found.size > 0 ? optedOut : null
}
