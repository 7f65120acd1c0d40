import type { App, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { readNumber } from '../phone-number.ts'
import type { InboundSms } from '../provider.ts'
import { applyAction, type Origin } from './apply-action.ts'
import { type KeywordAction, keywordAction } from './keywords.ts'

/**
 * Records a message to the number of these teams. A keyword blocks or unblocks the sender's number. Returns the action
 * of the keyword, or null. Repeats (recognized by `id` or `at`) and late messages (recognized by `at`) change nothing.
 */
export async function recordInboundSms(
  app: App,
  teamIds: string[],
  sms: InboundSms,
  origin: Origin,
): Promise<KeywordAction | null> {
  const action = sms.action ?? keywordAction(sms.body)
  if (teamIds.length === 0) return action
  const number = readNumber(sms.from).normalized
  await app.transaction(async (tx) => {
    if (sms.id !== undefined && !(await noteMessage(tx, sms.id))) return
    const data = { from: number, to: sms.to, body: sms.body }
    await publish(
      tx,
      teamIds.map((teamId) => ({ type: 'sms.received' as const, teamId, data })),
    )
    if (action !== null) await applyAction(tx, { teamIds, number, action, at: sms.at ?? null, origin })
  })
  return action
}

/** Longer than any provider repeats a message; they do so for hours. */
const repeatedWithinMs = 7 * 24 * 60 * 60 * 1000

/** Notes the id of a message. False if it was recorded before. */
async function noteMessage(tx: Tx, id: string): Promise<boolean> {
  await tx.db
    .deleteFrom('sms_keyword_messages')
    .where('received_at', '<', new Date(tx.now.getTime() - repeatedWithinMs))
    .execute()
  const result = await tx.db
    .insertInto('sms_keyword_messages')
    .values({ id, received_at: tx.now })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}
