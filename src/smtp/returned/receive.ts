import type { Readable } from 'node:stream'
import type { App } from '../../context.ts'
import { type ReturnedRecipient, readReturnAddress } from '../../emails/return-address.ts'
import { isDatabaseGone } from '../../platform/sql/gone.ts'
import type { ReportedCopy } from './find-email.ts'
import { recordReport } from './record.ts'
import { Refusal } from './refusal.ts'
import { readReport } from './report/read.ts'
import type { Complaint, Report } from './report/report.ts'

/**
 * Enough for a report with the whole returned message and its files in base64, which many servers and most services
 * for complaints send.
 */
export const messageBytesMax = 50 * 1024 * 1024
/** The report precedes the returned message, so the beginning is enough. */
const keptBytesMax = 1024 * 1024

/**
 * Throws `Refusal` for all but return addresses, and abuse@ and postmaster@, to which services send complaints about a
 * sender.
 */
export function refuseUnknownRecipient(app: App, address: string): void {
  if (signedAddress(app, address) || takesComplaints(address)) return
  throw new Refusal(
    550,
    '5.1.1 There is no such address. Return addresses of mail sent from here are valid for 14 days.',
  )
}

/** Receives one message and commits the facts that it reports. Throws `Refusal` if the message is not accepted. */
export async function receiveMessage(app: App, brought: string[], stream: Readable): Promise<void> {
  const { raw, length } = await readBeginning(stream)
  if (length > messageBytesMax) throw new Refusal(552, `5.3.4 Messages here have at most ${messageBytesMax} bytes.`)
  if (hasDisguisedEnd(raw)) throw new Refusal(550, '5.6.0 Lines end with CR LF, and a dot that begins one is doubled.')
  const report = await readReport(raw)
  const copies = copiesOf(app, brought, report)
  if (copies.length === 0) {
    throw new Refusal(
      550,
      '5.7.1 This address takes only complaints (RFC 5965) that name the sender or the Message-ID of mail from here.',
    )
  }
  const facts = await recordReport(app, copies, report).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    if (!isDatabaseGone(error)) app.log.error({ err: error }, 'returned mail could not be recorded')
    throw new Refusal(451, '4.3.0 This cannot be recorded at the moment. Try again later.')
  })
  const emailIds = copies.map(({ emailId }) => emailId)
  const kind = report.kind === 'ignored' ? report.reason : report.kind
  app.log.info({ emailIds, kind, facts }, 'mail came back')
}

/** Reads to the end, as the protocol requires, but keeps only the beginning. `length` is that of the whole. */
async function readBeginning(stream: Readable): Promise<{ raw: Buffer; length: number }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < keptBytesMax) chunks.push(chunk)
    length += chunk.length
  }
  return { raw: Buffer.concat(chunks).subarray(0, keptBytesMax), length }
}

/** Tells whether a message contains an end that only some servers recognise. Ordinary clients never write one. */
function hasDisguisedEnd(raw: Buffer): boolean {
  return /(^|[^\r])\n\.\r?\n|\n\.\n|\r\.\r(?!\n)/.test(raw.toString('latin1'))
}

/**
 * Returns the copies of emails that a report is about: those whose return address received it, or that a complaint
 * names.
 */
function copiesOf(app: App, brought: string[], report: Report): ReportedCopy[] {
  const complaint = report.kind === 'complaint' ? report.complaint : null
  const found = [...brought, ...(complaint?.senders ?? [])].flatMap((address) => signedAddress(app, address) ?? [])
  if (found.length === 0 && complaint) return copyByMessageId(complaint)
  return [...new Map(found.map((one) => [`${one.emailId} ${one.recipient}`, one])).values()]
}

const ourMessageId = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@([a-z0-9.-]{1,255})>$/

/** Uses the Message-ID if a service hides the envelope; only recipients know it. */
function copyByMessageId({ messageId, recipients }: Complaint): ReportedCopy[] {
  const [, emailId, domainName] = ourMessageId.exec(messageId ?? '') ?? []
  if (!messageId || !emailId || !domainName) return []
  return [{ emailId, recipient: null, returnPath: `send.${domainName}`, messageId, named: recipients }]
}

function signedAddress({ keyring, clock }: App, address: string): ReturnedRecipient | null {
  return readReturnAddress(keyring, address, clock.now())
}

function takesComplaints(address: string): boolean {
  return /^(abuse|postmaster)(@|$)/i.test(address)
}
