import { createHash } from 'node:crypto'
import type { App, Tx } from '../../context.ts'
import type { FactsOfEmail } from '../../emails/messages/facts/consequences.ts'
import { recordEmailFacts } from '../../emails/messages/facts/record.ts'
import { returnAddressValidMs } from '../../emails/return-address.ts'
import { factsOfReport } from './facts.ts'
import { findReturnedEmail, type ReportedCopy } from './find-email.ts'
import { Refusal } from './refusal.ts'
import type { Report } from './report/report.ts'

/**
 * Records the facts of a report in one commit, and returns their number. Ignores a repeated report, and one about a
 * deleted email. Throws a temporary `Refusal` if the email's hand-over is not recorded yet.
 */
export function recordReport(app: App, copies: ReportedCopy[], report: Report): Promise<number> {
  return app.transaction(async (tx) => {
    const told: FactsOfEmail[] = []
    for (const copy of copies) told.push(...(await factsOfOne(tx, copy, report)))
    await recordEmailFacts(tx, told)
    return told.reduce((count, { facts }) => count + facts.length, 0)
  })
}

async function factsOfOne(tx: Tx, copy: ReportedCopy, report: Report): Promise<FactsOfEmail[]> {
  const email = await findReturnedEmail(tx.db, copy)
  if (!email) return []
  // The report came before the hand-over was recorded. The process that records it must find the email unchanged.
  if (email.isPending) throw new Refusal(451, '4.3.0 The message this is about is still being sent. Try again later.')
  // A Message-ID is valid for as long as a return address, from the hand-over: scheduled mail is accepted long before.
  if (copy.messageId !== undefined && tx.now.getTime() - email.at.getTime() > returnAddressValidMs) return []
  const facts = factsOfReport(email, report, tx.now)
  if (facts.length === 0) return []
  return [{ teamId: email.teamId, emailId: email.emailId, facts, providerEventId: digestOf(report) }]
}

/** Identifies a report by its content too, because some servers' messages have no id, or all the same one. */
function digestOf(report: Report): string {
  return `returned ${createHash('sha256').update(JSON.stringify(report)).digest('base64url').slice(0, 22)}`
}
