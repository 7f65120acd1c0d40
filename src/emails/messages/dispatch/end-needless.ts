import type { Tx } from '../../../context.ts'
import { cancelIfUnwanted } from '../../of-broadcasts/cancel-unwanted.ts'
import { sentFact } from '../facts/make.ts'
import { recordEmailFacts } from '../facts/record.ts'
import type { EmailStatus } from '../statuses.ts'
import { recipientsOf, type WaitingEmail } from './lock-waiting.ts'

/**
 * Settles or cancels emails that need no hand-over. Returns the others. Three fields of a locked email tell which it
 * is:
 *
 * | `isSent` | `answerWasLost` | `status` | what becomes of it |
 * | --- | --- | --- | --- |
 * | no | either | any | handed over; one of a broadcast that no provider may have is cancelled if it is unwanted |
 * | yes | no | any | `settleReported`: its hand-over was not recorded, and the provider has reported on it |
 * | yes | yes | `scheduled`, `sent`, `delayed` | handed over again |
 * | yes | yes | any other | `settleLostAndReported`: its answer was lost, and the receiving side reported since |
 */
export async function endNeedlessEmails(tx: Tx, emails: WaitingEmail[]): Promise<WaitingEmail[]> {
  const without = (left: WaitingEmail[], ids: string[]) => left.filter(({ id }) => !ids.includes(id))
  const unreported = without(emails, await settleReported(tx, emails))
  // Where `dispatching` is false, only a process of an earlier attempt can have handed the email over.
  const cancellable = unreported.filter(
    ({ broadcast, dispatching, hasCutMark }) => broadcast && !dispatching && !hasCutMark,
  )
  const wanted = without(unreported, await cancelIfUnwanted(tx, cancellable))
  return without(wanted, await settleLostAndReported(tx, wanted))
}

/**
 * Records the sending of emails that a process handed over before it died, or before it got an answer, where the
 * provider has reported on them since. Returns their ids: they are not sent again.
 */
async function settleReported(tx: Tx, emails: WaitingEmail[]): Promise<string[]> {
  const reported = emails.filter((email) => email.isSent && !email.answerWasLost)
  const facts = reported.map((email) => {
    const { teamId, id: emailId, messageId, from, tags, system } = email
    const message = { messageId, envelope: { to: recipientsOf(email) }, summary: { from }, at: tx.now }
    return { teamId, emailId, fields: { tags, system }, facts: [sentFact(message, null)], settled: true }
  })
  if (facts.length > 0) await recordEmailFacts(tx, facts)
  return reported.map(({ id }) => id)
}

/**
 * Ends emails whose answer was lost and whose receiving side has reported since, so that they are not sent again.
 * Returns their ids.
 */
async function settleLostAndReported(tx: Tx, emails: WaitingEmail[]): Promise<string[]> {
  const answered = emails.filter(({ isSent, status }) => isSent && !stillOpen.has(status))
  const facts = answered.map(({ teamId, id }) => ({ teamId, emailId: id, facts: [], settled: true }))
  if (facts.length > 0) await recordEmailFacts(tx, facts)
  return answered.map(({ id }) => id)
}

const stillOpen = new Set<EmailStatus>(['scheduled', 'sent', 'delayed'])
