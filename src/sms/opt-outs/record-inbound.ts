import type { App, Tx } from '../../context.ts'
import { readNumber } from '../../phone/phone-number.ts'
import { publish } from '../../platform/events.ts'
import type { InboundSms } from '../provider.ts'
import { findOwnerOfNumber, findTeamsOfNumber } from '../senders/queries.ts'
import { applyAction, type Origin } from './apply-action.ts'
import { type KeywordAction, keywordAction } from './keywords.ts'

/**
 * Records a message that the provider delivered. A keyword also counts for the team that owns the number while its
 * sender is not active, because the sender may send again later.
 */
export async function receiveSms(app: App, sms: InboundSms): Promise<void> {
  const receiving = await findTeamsOfNumber(app.db, sms.to)
  const owner = await findOwnerOfNumber(app.db, sms.to)
  const heeding = owner === null || receiving.includes(owner) ? receiving : [...receiving, owner]
  await recordInboundSms(app, { receiving, heeding }, sms, 'proven')
}

/** The teams that get the message, and those for which a keyword in it counts. */
type Teams = { receiving: string[]; heeding: string[] }

/**
 * Records a message to the number of these teams. A keyword blocks or unblocks the sender's number. Returns the action
 * of the keyword, or null. Repeats (recognized by `id` or `at`) and late messages (recognized by `at`) change nothing.
 */
export async function recordInboundSms(
  app: App,
  { receiving, heeding }: Teams,
  sms: InboundSms,
  origin: Origin,
): Promise<KeywordAction | null> {
  const action = sms.action ?? keywordAction(sms.body)
  if (receiving.length + heeding.length === 0) return action
  const number = readNumber(sms.from).normalized
  await app.transaction(async (tx) => {
    if (sms.id !== undefined && !(await noteMessage(tx, sms.id))) return
    const data = { from: number, to: sms.to, body: sms.body }
    const news = receiving.map((teamId) => ({ type: 'sms.received' as const, teamId, data }))
    await publish(tx, news)
    if (action !== null) await applyAction(tx, { teamIds: heeding, number, action, at: sms.at ?? null, origin })
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
