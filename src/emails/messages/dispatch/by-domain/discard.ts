import type { App, Tx } from '../../../../context.ts'
import { findJobKeys } from '../../../../platform/jobs/waiting-jobs.ts'
import { type DeliveryJob, deliverToDomainJob } from '../../../jobs.ts'
import { recordEmailFacts } from '../../facts/record.ts'
import { discardedFact } from '../discard.ts'
import { keysOf } from './split.ts'

/** Bounces the recipients of a delivery whose job is discarded. The email is settled if it was the last one. */
export async function bounceDelivery(_: App, tx: Tx, job: DeliveryJob, reason: string): Promise<void> {
  const { teamId, payload, key } = job
  const { emailId, recipients } = payload
  const email = await tx.db
    .selectFrom('emails')
    .select(['message_id', 'from_address'])
    .where('team_id', '=', teamId)
    .where('id', '=', emailId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!email) return
  const { message_id: messageId, from_address: from } = email
  const message = { messageId, envelope: { to: recipients }, summary: { from }, at: tx.now }
  const others = keysOf(payload).filter((other) => other !== key)
  const settled = (await findJobKeys(tx.db, deliverToDomainJob, others)).size === 0
  const facts = recipients.map((recipient) => discardedFact(message, recipient, reason))
  await recordEmailFacts(tx, [{ teamId, emailId, facts, settled }])
}
