import type { Tx } from '../../../context.ts'
import { findSendingDomains, type SendingDomain } from '../../../domains/queries.ts'
import { DomainError } from '../../../platform/errors.ts'
import {
  deleteRequestKeys,
  identityOf,
  insertRequestKeys,
  type RequestKey,
  storeResponses,
} from '../../../platform/idempotency/keys.ts'
import { enqueueHeldJobs, enqueueJobs } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { findSuppressed } from '../../../suppressions/queries.ts'
import { finishSource } from '../../mime/source/finish.ts'
import { takeQuotas } from '../../quota/usage.ts'
import type { EmailStatus } from '../../table.ts'
import { deliverKind } from '../dispatch/deliver-kind.ts'
import type { EmailCommand, Sender } from './command.ts'
import { insertEmails } from './insert.ts'
import { refusalOf } from './refuse.ts'
import { storedBytesOf } from './stored-bytes.ts'

/** One request, single or batch: accepted whole or refused whole. */
export type SendRequest = { sender: Sender; commands: EmailCommand[]; key: RequestKey | null; isBatch: boolean }

/** An email that is durable; `job` is held by us where it is to be sent at once. */
export type AcceptedEmail = {
  id: string
  command: EmailCommand
  domain: SendingDomain
  teamId: string
  /** With angle brackets: the sender's own, or made from the id. */
  messageId: string
  /** The whole message but its signature, where it came complete. */
  source: Buffer | null
  createdAt: Date
  job: Job | null
}

/** `null`: the key was known, an earlier request has the answer. */
export type Acceptance = AcceptedEmail[] | null

type Draft = SendRequest & { ids: string[]; refusal: DomainError | null; known: boolean; emails: AcceptedEmail[] }

/**
 * Takes many requests in one transaction: checks in the order the decisions give, then rows, jobs and keys. A refused
 * request leaves nothing behind and harms no other.
 */
export async function acceptRequests(tx: Tx, requests: SendRequest[]): Promise<(Acceptance | Error)[]> {
  const drafts: Draft[] = requests.map((request) => ({
    ...request,
    ids: request.commands.map(({ id }) => id ?? tx.newId()),
    refusal: null,
    known: false,
    emails: [],
  }))
  await claimKeys(tx, drafts)
  await checkRules(tx, drafts)
  await checkQuota(tx, drafts)
  await dropKeys(tx, drafts)
  const accepted = await insertAccepted(tx, drafts.filter(isOpen))
  return drafts.map((draft) => draft.refusal ?? accepted.get(draft) ?? null)
}

function isOpen(draft: Draft): boolean {
  return !draft.known && !draft.refusal
}

/** The second of two equal keys, in this transaction or an earlier one, waits for the first one's answer. */
async function claimKeys(tx: Tx, drafts: Draft[]): Promise<void> {
  const first = new Map<string, Draft>()
  for (const draft of drafts) {
    if (!draft.key) continue
    const identity = identityOf(draft.key)
    if (first.has(identity)) draft.known = true
    else first.set(identity, draft)
  }
  const rows = [...first.values()].map((draft) => ({ ...draft.key!, resourceIds: draft.ids }))
  const added = await insertRequestKeys(tx, rows)
  for (const [identity, draft] of first) if (!added.has(identity)) draft.known = true
}

/** Keys of refused requests: they are not burned. */
async function dropKeys(tx: Tx, drafts: Draft[]): Promise<void> {
  await deleteRequestKeys(
    tx,
    drafts.flatMap((draft) => (draft.refusal && !draft.known && draft.key ? [draft.key] : [])),
  )
}

async function checkRules(tx: Tx, drafts: Draft[]): Promise<void> {
  const open = drafts.filter(isOpen)
  const emails = open.flatMap(({ sender, commands }) => commands.map((command) => ({ teamId: sender.teamId, command })))
  const wanted = emails.map(({ teamId, command }) => ({ teamId, name: command.domainName }))
  const found = await findSendingDomains(tx.db, wanted, { lock: true })
  const domains = new Map(found.map((domain) => [`${domain.teamId} ${domain.name}`, domain]))
  const recipients = emails.flatMap(({ teamId, command }) => command.recipients.map((address) => ({ teamId, address })))
  const suppressed = await findSuppressed(tx.db, recipients)
  for (const draft of open) {
    const domainOf = (command: EmailCommand) => domains.get(`${draft.sender.teamId} ${command.domainName}`)
    for (const [index, command] of draft.commands.entries()) {
      const refusal = refusalOf(draft.sender, command, domainOf(command), suppressed)
      draft.refusal ??= refusal && draft.isBatch ? inBatch(refusal, index) : refusal
    }
    if (draft.refusal) continue
    draft.emails = draft.commands.map((command, index) => acceptedEmail(tx, draft, command, index, domainOf(command)!))
  }
}

/** The specification's body for a fault in a batch. */
export function inBatch(refusal: DomainError, index: number): DomainError {
  return new DomainError('invalid', refusal.message, { body: { error: refusal.message, index } })
}

/**
 * Emails of now count against the day and the second; scheduled ones when they are sent, and until then against those that
 * may wait. All of them take up room.
 */
async function checkQuota(tx: Tx, drafts: Draft[]): Promise<void> {
  const asking = drafts.filter(isOpen)
  const asks = asking.map(({ sender: { teamId, limits, bounds }, commands, emails }) => {
    const scheduledEmails = commands.filter((command) => command.scheduledAt !== null).length
    const count = commands.length - scheduledEmails
    return { teamId, limits, bounds, count, scheduledEmails, storedBytes: storedBytesOf(emails) }
  })
  const grants = await takeQuotas(tx, asks)
  for (const [index, draft] of asking.entries()) draft.refusal = grants[index]!.refusal
}

async function insertAccepted(tx: Tx, drafts: Draft[]): Promise<Map<Draft, AcceptedEmail[]>> {
  const accepted = new Map(drafts.map((draft) => [draft, draft.emails]))
  const all = [...accepted.values()].flat()
  await insertEmails(tx, all)
  const now = all.filter(({ command }) => command.scheduledAt === null)
  const jobs = await enqueueHeldJobs(tx, now.map(deliverJob))
  for (const [index, email] of now.entries()) email.job = jobs[index]!
  await storeAnswers(tx, accepted)
  const later = all.filter(({ command }) => command.scheduledAt !== null)
  await enqueueJobs(
    tx,
    later.map((email) => ({ ...deliverJob(email), runAt: email.command.scheduledAt! })),
  )
  return accepted
}

function acceptedEmail(
  tx: Tx,
  { sender: { teamId }, ids }: Draft,
  command: EmailCommand,
  index: number,
  domain: SendingDomain,
): AcceptedEmail {
  const id = ids[index]!
  const messageId = command.source?.messageId ?? messageIdOf(id, domain.name)
  const source = command.source && finishSource(command.source, { id, messageId, date: tx.now })
  return { id, command, domain, teamId, messageId, source, createdAt: tx.now, job: null }
}

/** Made from the id, so that every repeat of an email carries the same one. */
export function messageIdOf(id: string, domainName: string): string {
  return `<${id}@${domainName}>`
}

function deliverJob({ teamId, id }: AcceptedEmail) {
  return { kind: deliverKind, teamId, key: id }
}

/** Where nothing is sent now, the answer is known already. */
async function storeAnswers(tx: Tx, accepted: Map<Draft, AcceptedEmail[]>): Promise<void> {
  const answers = [...accepted].flatMap(([{ key, isBatch }, emails]) => {
    if (!key || emails.some((email) => email.job)) return []
    const bodies = emails.map((email) => emailOf(email, 'scheduled'))
    return [{ key, response: { status: 200, body: isBatch ? { data: bodies } : bodies[0] } }]
  })
  await storeResponses(tx, answers)
}

/** The email as its request made it. */
export function emailOf({ id, command, createdAt }: AcceptedEmail, status: EmailStatus) {
  const { from, to, cc, bcc, subject, html, text, scheduledAt } = command
  return { id, from, to, cc, bcc, subject, html, text, status, scheduledAt, createdAt }
}
