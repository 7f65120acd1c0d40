import { createHash } from 'node:crypto'
import type { App, Tx } from '../../context.ts'
import { type EmailFacts, recordEmailFacts } from '../../emails/messages/facts/record.ts'
import { factsOfReport } from './facts.ts'
import { findReturnedEmail, type ReportedCopy } from './find-email.ts'
import { Refusal } from './refusal.ts'
import type { Report } from './report/report.ts'

/**
 * Records what a report says of the emails it came back to, in one commit; gives how many facts that were. A report that
 * is brought again changes nothing, and one about an email that is gone tells nothing. Throws a `Refusal` for now.
 */
export function recordReport(app: App, copies: ReportedCopy[], report: Report): Promise<number> {
  return app.transaction(async (tx) => {
    const told: EmailFacts[] = []
    for (const copy of copies) told.push(...(await factsOfOne(tx, copy, report)))
    await recordEmailFacts(tx, told)
    return told.reduce((count, { facts }) => count + facts.length, 0)
  })
}

async function factsOfOne(tx: Tx, copy: ReportedCopy, report: Report): Promise<EmailFacts[]> {
  const email = await findReturnedEmail(tx.db, copy)
  if (!email) return []
  // The report came before the hand-over was recorded. The process that records it must find the email unchanged.
  if (email.isPending) throw new Refusal(451, '4.3.0 The message this is about is still being sent. Try again later.')
  const facts = factsOfReport(email, report, tx.now)
  if (facts.length === 0) return []
  return [{ teamId: email.teamId, emailId: email.emailId, facts, providerEventId: digestOf(report) }]
}

/** By what it says, too: there are servers whose messages have no id, or all the same. */
function digestOf(report: Report): string {
  return `returned ${createHash('sha256').update(JSON.stringify(report)).digest('base64url').slice(0, 22)}`
}
