import type { App, SentAtOnce, Tx } from '../../../context.ts'
import { findSendingDomains, type SendingDomain, sendingDomainKey } from '../../../domains/queries.ts'
import { countMessages } from '../../../health/count-messages.ts'
import { noteCaused } from '../../../platform/cause/note.ts'
import { DomainError } from '../../../platform/errors.ts'
import { claimRequestKeys } from '../../../platform/idempotency/claim.ts'
import { deleteRequestKeys, type RequestKey, storeResponses } from '../../../platform/idempotency/keys.ts'
import { enqueueHeldJobs, enqueueJobs } from '../../../platform/jobs/enqueue.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { findSuppressed } from '../../../suppressions/queries.ts'
import { deliverEmailJob } from '../../jobs.ts'
import { outdateCountsOfLate } from '../../list/outdate-counts.ts'
import { finishSource } from '../../mime/source/finish.ts'
import { lockUsages, takeFromUsages, type Usages } from '../../quota/usage.ts'
import {
  type AcceptedEmail,
  addresseesOf,
  type EmailCommand,
  emailOf,
  newMessageId,
  type SendingTeam,
  sizeOf,
} from '../email.ts'
import { insertEmails } from './insert.ts'
import { refusalOf } from './refuse.ts'

/** A request for one email or a batch. It is accepted or refused as a whole. */
type SendRequest = {
  team: SendingTeam
  commands: EmailCommand[]
  key: RequestKey | null
  isBatch: boolean
  /** Further fields of the answer to a batch. */
  more?: unknown
}

type Draft = SendRequest & { resourceIds: string[]; refusal: DomainError | null; emails: AcceptedEmail[] }

/**
 * Accepts requests. Those that arrive while a commit is under way share the next one. Null if the idempotency key is
 * known, so that an earlier request has the answer.
 */
export const acceptEmails: (app: App, request: SendRequest) => Promise<AcceptedEmail[] | null> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  // A statement with many long emails would take seconds to write and delay every other request.
  { itemsMax: 100, flushesMax: 1, weigh: weightOf, weightMax: 4 * 1024 * 1024 },
)

function weightOf({ commands }: SendRequest): number {
  return commands.reduce((sum, command) => sum + sizeOf(command, command.source?.body), 0)
}

/**
 * Checks idempotency keys, then the rules for each email, then the limits, and writes emails, jobs and keys in one
 * transaction. A refused request leaves nothing behind and does not affect the others; its place has the refusal.
 * `docs/inside.md`, "Accepting and recording an email", counts the waits.
 */
export async function acceptRequests(tx: Tx, requests: SendRequest[]): Promise<(AcceptedEmail[] | null | Error)[]> {
  const drafts = requests.map((request): Draft => {
    const resourceIds = request.commands.map(({ id }) => id ?? tx.newId())
    return { ...request, resourceIds, refusal: null, emails: [] }
  })
  const known = await claimRequestKeys(tx, drafts)
  const fresh = drafts.filter((draft) => !known.has(draft))
  const found = await readForRules(tx, fresh)
  const allowed = checkRules(tx, fresh, found)
  const granted = await takeFromQuotas(tx, allowed, found.usages)
  const refusedKeys = fresh.map(({ refusal, key }) => (refusal ? key : null))
  tx.withCommit(deleteRequestKeys(tx, refusedKeys))
  await insertWithJobs(tx, granted)
  return drafts.map((draft) => (known.has(draft) ? null : (draft.refusal ?? draft.emails)))
}

type Found = { domains: Map<string, SendingDomain>; suppressed: Set<string>; usages: Usages }

/**
 * Reads what the rules and the limits depend on. The statements go in one write, and take their locks in this order.
 */
async function readForRules(tx: Tx, drafts: Draft[]): Promise<Found> {
  const emails = drafts.flatMap(({ team, commands }) => commands.map((command) => ({ teamId: team.teamId, command })))
  const names = emails.map(({ teamId, command }) => ({ teamId, name: command.domainName }))
  const recipients = emails.flatMap(({ teamId, command }) => addresseesOf(teamId, command))
  const teamIds = emails.map(({ teamId }) => teamId)
  const [domains, suppressed, usages] = await allEnded([
    findSendingDomains(tx, names, { lock: true }),
    findSuppressed(tx, recipients),
    lockUsages(tx, teamIds),
  ])
  return { domains, suppressed, usages }
}

/** Returns the drafts that keep the rules. The others get their refusal. */
function checkRules(tx: Tx, drafts: Draft[], { domains, suppressed }: Found): Draft[] {
  for (const draft of drafts) {
    for (const [index, command] of draft.commands.entries()) {
      const refusal = refusalOf(draft.team, command, domains, suppressed)
      draft.refusal ??= refusal && draft.isBatch ? inBatch(refusal, index) : refusal
    }
    if (draft.refusal) continue
    draft.emails = draft.commands.map((command, index) => acceptedEmail(tx, draft, command, index, domains))
  }
  return drafts.filter(({ refusal }) => !refusal)
}

/** Gives a refusal of one email the body of a batch: `{error, index}`. Its `cause` is the refusal itself. */
export function inBatch(refusal: DomainError, index: number): DomainError {
  const inside = new DomainError('invalid', refusal.message, { body: { error: refusal.message, index } })
  inside.cause = refusal
  return inside
}

/** Returns the drafts that the limits allow. The others get their refusal. */
async function takeFromQuotas(tx: Tx, drafts: Draft[], usages: Usages): Promise<Draft[]> {
  const asks = drafts.map(({ team, commands, emails }) => askFor(team, commands, storedBytesOf(emails)))
  const grants = await takeFromUsages(tx, asks, usages)
  for (const [index, draft] of drafts.entries()) draft.refusal = grants[index]!.refusal
  return drafts.filter(({ refusal }) => !refusal)
}

/**
 * Immediate emails count against the day and the second. Scheduled ones do so when they are sent; until then they count
 * against the emails that may wait. All of them count against the stored bytes.
 */
export function askFor({ teamId, limits, bounds }: SendingTeam, commands: EmailCommand[], storedBytes: number) {
  const scheduledEmails = commands.filter(isScheduled).length
  return { teamId, limits, bounds, count: commands.length - scheduledEmails, scheduledEmails, storedBytes }
}

/**
 * Counts the bytes that emails take in `email_contents`, `email_attachments` and `email_sources`, in the same way as
 * the triggers that call `note_stored_bytes` when emails are deleted.
 */
function storedBytesOf(emails: AcceptedEmail[]): number {
  let bytes = 0
  for (const { command, source } of emails) {
    bytes += Buffer.byteLength(command.html ?? '') + Buffer.byteLength(command.text ?? '') + (source?.length ?? 0)
    for (const { content } of command.attachments) bytes += content.length
  }
  return bytes
}

/** Writes the emails and their jobs. Only the inserts of attachments and long messages are waited for. */
async function insertWithJobs(tx: Tx, drafts: Draft[]): Promise<void> {
  const all = drafts.flatMap(({ emails }) => emails)
  const immediate = all.filter(({ command }) => !isScheduled(command))
  const scheduled = all.filter(({ command }) => isScheduled(command))
  const laterJobs = scheduled.map((email) => ({ ...deliverJob(email), runAt: email.command.scheduledAt! }))
  countMessages(tx, 'email', all)
  await insertEmails(tx, all)
  tx.withCommit(noteCaused(tx, all))
  tx.withCommit(outdateCountsOfLate(tx, all))
  tx.withCommit(holdJobs(tx, immediate))
  tx.withCommit(enqueueJobs(tx, deliverEmailJob, laterJobs))
  tx.withCommit(storeAnswers(tx, drafts.filter(onlySchedules)))
}

/** Sets `job` of each email once COMMIT is answered, after `acceptRequests` has returned. */
async function holdJobs(tx: Tx, emails: AcceptedEmail[]): SentAtOnce {
  const jobs = await enqueueHeldJobs(tx, deliverEmailJob, emails.map(deliverJob))
  for (const [index, email] of emails.entries()) email.job = jobs[index]!
}

function isScheduled({ scheduledAt }: EmailCommand): boolean {
  return scheduledAt !== null
}

function acceptedEmail(
  tx: Tx,
  { team: { teamId }, resourceIds }: Draft,
  command: EmailCommand,
  index: number,
  domains: Map<string, SendingDomain>,
): AcceptedEmail {
  const domain = domains.get(sendingDomainKey({ teamId, name: command.domainName }))!
  const id = resourceIds[index]!
  const messageId = command.source?.messageId ?? newMessageId(id, domain.name)
  const source = command.source && finishSource(command.source, { id, messageId, date: tx.now })
  return { id, command, domain, teamId, messageId, source, createdAt: tx.now, job: null }
}

function deliverJob({ teamId, id }: AcceptedEmail) {
  return { teamId, key: id }
}

/** True for a request that sends nothing now, so that its answer is known already. */
function onlySchedules({ commands }: Draft): boolean {
  return commands.every(isScheduled)
}

/** Stores the answers of requests that only schedule emails. */
async function storeAnswers(tx: Tx, drafts: Draft[]): SentAtOnce {
  const answers = drafts.flatMap(({ key, isBatch, emails, more }) => {
    if (!key) return []
    const bodies = emails.map((email) => emailOf(email, 'scheduled'))
    return [{ key, response: { status: 200, body: isBatch ? { data: bodies, more } : bodies[0] } }]
  })
  await storeResponses(tx, answers)
}
