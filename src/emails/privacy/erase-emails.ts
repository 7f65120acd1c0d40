import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { namesPerson } from '../../platform/privacy/names-person.ts'
import { erased, type Person } from '../../platform/privacy/person.ts'
import type { Found } from '../../platform/privacy/trace.ts'
import { deliverEmailJob, deliverToDomainJob } from '../jobs.ts'
import { forgetSearchCounts } from '../list/outdate-counts.ts'
import { recordEmailFacts } from '../messages/facts/record.ts'
import { returnBroadcastQuota } from '../of-broadcasts/cancel.ts'
import { returnScheduled } from '../quota/usage.ts'
import { deleteBodies } from '../retention/remove-bodies.ts'
import { deleteEmails } from '../retention/remove-emails.ts'
import { lockSendingJobs, type SendingJob } from './lock-jobs.ts'

type NamedEmail = {
  id: string
  status: string
  dispatching: boolean
  isSent: boolean
  from_address: string
  to_addresses: string[]
  cc_addresses: string[] | null
  bcc_addresses: string[] | null
  reply_to: string | null
  subject: string
  tags: unknown
  headers: unknown
}

/**
 * Deletes emails to the person alone, or beside others who were erased before; one that was to be sent is not sent. In
 * emails to others too, `erased` takes the place of the address, and the bodies go. An email that is being handed over
 * at this moment waits for the next round.
 */
export async function eraseEmails(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  await forgetSearchCounts(tx, teamId)
  const { emails, jobsOf } = await lockIdle(tx, teamId, found)
  const isPerson = (address: string) => namesPerson(address, 'address', person)
  const isOther = (address: string) => address !== erased && !isPerson(address)
  const [alone, others] = [false, true].map((is) => emails.filter((email) => is === recipientsOf(email).some(isOther)))
  // An email that is being dispatched was counted as sent when that began.
  const uncounted = alone!.filter(({ status, dispatching }) => status === 'scheduled' && !dispatching)
  for (const { id } of uncounted) await returnScheduled(tx, teamId, id)
  await returnBroadcastQuota(tx, teamId, idsOf(alone!))
  const isToOthers = ({ recipients }: SendingJob) => recipients === null || !recipients.every(isPerson)
  const isWaiting = ({ id }: NamedEmail) => jobsOf(id).some(isToOthers)
  const needless = [
    ...alone!.flatMap(({ id }) => jobsOf(id)),
    ...others!.flatMap(({ id }) => jobsOf(id).filter((job) => !isToOthers(job))),
  ]
  const keys = needless.map(({ key }) => key)
  await deleteJobs(tx, [deliverEmailJob, deliverToDomainJob], keys)
  const deleted = await deleteEmails(tx, teamId, idsOf(alone!))
  const unsent = idsOf(alone!.filter(isUnsent)).map((emailId) => ({ emailId, reason: 'gone' as const }))
  await publish(
    tx,
    unsent.map((data) => ({ type: 'email.ended_unsent', teamId, data })),
  )
  for (const email of others!) await takeOut(tx, teamId, email, person)
  const ended = others!.filter((email) => !isWaiting(email))
  await endEmails(tx, teamId, ended)
  return deleted + others!.length
}

const isUnsent = ({ status, isSent }: NamedEmail) => !isSent && (status === 'scheduled' || status === 'delayed')
const idsOf = (emails: NamedEmail[]) => emails.map(({ id }) => id)

/**
 * Locks the emails that no process is handing over, and their jobs. Workers lock emails before their jobs too. An email
 * that another transaction has locked is left out.
 */
async function lockIdle(tx: Tx, teamId: string, found: Found[]) {
  const { rows } = await sql<NamedEmail>`
    select id, status, dispatching, sent_at is not null as "isSent", from_address, to_addresses, cc_addresses, bcc_addresses,
      reply_to, subject, tags, headers
    from emails where team_id = ${teamId} and id = any(${found.map(({ key }) => key[0]!)}::uuid[])
    order by id for no key update skip locked
  `.execute(tx.db)
  const jobs = await lockSendingJobs(tx, rows)
  const jobsOf = (id: string) => jobs.get(id) ?? []
  return { emails: rows.filter(({ id }) => !jobsOf(id).some(({ isHeld }) => isHeld)), jobsOf }
}

/** Deletes the bodies of emails without a delivery left, and settles those whose last delivery was to the person. */
async function endEmails(tx: Tx, teamId: string, ended: NamedEmail[]): Promise<void> {
  await deleteBodies(tx, teamId, idsOf(ended))
  const unsettled = idsOf(ended.filter(({ dispatching }) => dispatching))
  const facts = unsettled.map((emailId) => ({ teamId, emailId, facts: [], settled: true, endsWaiting: true }))
  await recordEmailFacts(tx, facts)
}

function recipientsOf({ to_addresses, cc_addresses, bcc_addresses }: NamedEmail): string[] {
  return [to_addresses, cc_addresses ?? [], bcc_addresses ?? []].flat()
}

/** Takes the person out of an email to others too. */
async function takeOut(tx: Tx, teamId: string, email: NamedEmail, person: Person): Promise<void> {
  const isPerson = (address: string) => namesPerson(address, 'address', person)
  // Return addresses name recipients by their place, so the person's is kept. Sending leaves `erased` out.
  const without = (addresses: string[]) => addresses.map((address) => (isPerson(address) ? erased : address))
  const { to_addresses: to, cc_addresses: cc, bcc_addresses: bcc } = email
  const cleared = (value: unknown, written: 'address' | 'json') => (namesPerson(value, written, person) ? null : value)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const tags = cleared(email.tags, 'json')
  if (tags === null)
    await sql`delete from email_tags where team_id = ${teamId} and email_id = ${email.id}`.execute(tx.db)
  await sql`
    update emails set to_addresses = ${without(to)}, cc_addresses = ${cc && without(cc)}, bcc_addresses = ${bcc && without(bcc)},
      from_address = ${isPerson(email.from_address) ? erased : email.from_address},
      reply_to = ${cleared(email.reply_to, 'address')},
      subject = ${namesPerson(email.subject, 'text', person) ? erased : email.subject},
      tags = ${json(tags)}, headers = ${json(cleared(email.headers, 'json'))}
    where team_id = ${teamId} and id = ${email.id}
  `.execute(tx.db)
}
