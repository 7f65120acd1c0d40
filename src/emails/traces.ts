import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'
import { deleteJob } from '../platform/jobs/waiting-jobs.ts'
import { maskedTraceOf, maskRows } from '../platform/privacy/masked-trace.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { erased, type Person } from '../platform/privacy/person.ts'
import { type Found, type FoundPage, type Trace, traceOf } from '../platform/privacy/trace.ts'
import { deliverEmailJob } from './jobs.ts'
import { forgetSearchCounts } from './list/search-count.ts'
import { senderCountTrace } from './privacy/sender-counts.ts'
import { showEmail, showEmailEvent, showNaming } from './privacy/show.ts'
import { findSubmittedBodies } from './privacy/submitted-bodies.ts'
import { returnScheduled } from './quota/usage.ts'
import { deleteBodies, hasEnded } from './retention/remove-bodies.ts'
import { deleteEmails } from './retention/remove-emails.ts'

const idsOf = (found: Found[]) => found.map(({ key }) => key[0]!)

const bodies = {
  ...{ name: 'emailBodies', table: 'email_contents', key: ['email_id'] },
  searched: { html: 'text', text: 'text', variables: 'json' },
} as const

const storedBodies = traceOf({
  ...bodies,
  hidden: ['unsubscribe_seed', 'source'],
  show: showNaming,
  erase: eraseBodies,
})

/** Deletes the bodies. Mail that is still to be sent to others is sent with `erased` in place of the address. */
async function eraseBodies(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from emails as email where team_id = ${teamId} and id = any(${idsOf(found)}::uuid[]) and not ${hasEnded}
    for no key update
  `.execute(tx.db)
  const waiting = new Set(rows.map(({ id }) => id))
  const isWaiting = ({ key }: Found) => waiting.has(key[0]!)
  await deleteBodies(tx, teamId, idsOf(found.filter((each) => !isWaiting(each))))
  await maskRows(tx, teamId, bodies, found.filter(isWaiting), person)
  return found.length
}

/** Texts that were searched for in the list of emails. */
const searchTrace: Trace = {
  name: 'emailSearches',
  reads: [{ table: 'email_search_counts', column: 'team_id' }],
  async find(db, teamId, person) {
    const { rows } = await sql<{ pattern: string }>`
      select distinct pattern from email_search_counts where team_id = ${teamId}
    `.execute(db)
    const found = rows.filter(({ pattern }) => namesPerson(searchedText(pattern), 'text', person))
    return { found: found.map(({ pattern }) => ({ key: [pattern], row: { pattern } })), next: null }
  },
  async erase(tx, teamId, found) {
    await forgetSearchCounts(tx, teamId)
    return found.length
  },
}

/** Returns the text of a pattern of LIKE. */
function searchedText(pattern: string): string {
  return pattern.replace(/^%|(?<!\\)%$/g, '').replace(/\\(.)/g, '$1')
}

export const emailTraces: Trace[] = [
  traceOf({
    ...{ name: 'emails', table: 'emails', key: ['id'] },
    searched: {
      ...{ from_address: 'address', to_addresses: 'address', cc_addresses: 'address', bcc_addresses: 'address' },
      ...{ reply_to: 'address', subject: 'text', tags: 'json', headers: 'json' },
    },
    show: showEmail,
    erase: eraseEmails,
  }),
  traceOf({
    ...{ name: 'emailEvents', table: 'email_events', key: ['email_id', 'id'] },
    searched: { recipient: 'address', data: 'json' },
    show: showEmailEvent,
    async erase(tx, teamId, found) {
      const ids = found.map(({ key }) => key[1]!)
      await sql`
        update email_events set recipient = case when recipient is not null then ${erased} end, data = null
        where team_id = ${teamId} and email_id = any(${idsOf(found)}::uuid[]) and id = any(${ids}::uuid[])
      `.execute(tx.db)
      return found.length
    },
  }),
  { ...storedBodies, find: findBodies },
  // Texts of broadcasts that are being sent or were.
  maskedTraceOf({
    ...{ name: 'broadcastTexts', table: 'email_letters', key: ['id'] },
    searched: { html: 'text', text: 'text' },
  }),
  searchTrace,
  senderCountTrace,
]

/** Where the search goes on, once it has read all stored bodies. An id follows within the submitted ones. */
const submittedPlace = 'submitted '

/** Searches the stored bodies, then those that are stored only within a submitted message. */
async function findBodies(db: Db, teamId: string, person: Person, after: string): Promise<FoundPage> {
  if (after.startsWith(submittedPlace)) {
    const { found, next } = await findSubmittedBodies(db, teamId, person, after.slice(submittedPlace.length))
    return { found, next: next && submittedPlace + next }
  }
  const { found, next } = await storedBodies.find(db, teamId, person, after)
  return { found, next: next ?? submittedPlace }
}

type NamedEmail = {
  id: string
  status: string
  /** It is still to be sent, at its time or as it is delayed, and no process has it now. */
  isWaiting: boolean
  from_address: string
  to_addresses: string[]
  cc_addresses: string[] | null
  bcc_addresses: string[] | null
  reply_to: string[] | null
  subject: string
  tags: unknown
  headers: unknown
}

/**
 * Deletes emails to the person alone; one that was to be sent is not sent. In emails to others too, `erased` takes the
 * place of the address, and the bodies go. An email that is being handed over at this moment waits for the next round.
 */
async function eraseEmails(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const { rows } = await sql<NamedEmail>`
    select email.id, status, from_address, to_addresses, cc_addresses, bcc_addresses, reply_to, subject, tags, headers,
      job.id is not null as "isWaiting"
    from emails as email
    left join lateral (
      select id from jobs where kind = ${deliverEmailJob.kind} and key = email.id::text and lease_token is null
      for update skip locked
    ) as job on true
    where team_id = ${teamId} and email.id = any(${idsOf(found)}::uuid[]) and (job.id is not null or not dispatching)
  `.execute(tx.db)
  await forgetSearchCounts(tx, teamId)
  const isPerson = (address: string) => namesPerson(address, 'address', person)
  const isAlone = ({ to_addresses, cc_addresses, bcc_addresses }: NamedEmail) =>
    [to_addresses, cc_addresses ?? [], bcc_addresses ?? []].flat().every(isPerson)
  const alone = rows.filter(isAlone)
  for (const { id, status, isWaiting } of alone) {
    if (status === 'scheduled') await returnScheduled(tx, teamId, id)
    if (isWaiting) await deleteJob(tx, deliverEmailJob, id)
  }
  const deleted = await deleteEmails(
    tx,
    teamId,
    alone.map(({ id }) => id),
  )
  const others = rows.filter((email) => !isAlone(email))
  for (const email of others) await takeOut(tx, teamId, email, person)
  await deleteBodies(
    tx,
    teamId,
    others.filter(({ isWaiting }) => !isWaiting).map(({ id }) => id),
  )
  return deleted + others.length
}

/** Takes the person out of an email to others too. */
async function takeOut(tx: Tx, teamId: string, email: NamedEmail, person: Person): Promise<void> {
  const isPerson = (address: string) => namesPerson(address, 'address', person)
  // An email that is still to be sent needs valid addresses, so the person's is left out.
  const without = (addresses: string[] | null) => {
    const left = email.isWaiting ? addresses?.filter((address) => !isPerson(address)) : addresses
    return left?.length ? left.map((address) => (isPerson(address) ? erased : address)) : null
  }
  const cleared = (value: unknown, written: 'address' | 'json') => (namesPerson(value, written, person) ? null : value)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const tags = cleared(email.tags, 'json')
  if (tags === null)
    await sql`delete from email_tags where team_id = ${teamId} and email_id = ${email.id}`.execute(tx.db)
  await sql`
    update emails set to_addresses = ${without(email.to_addresses) ?? (email.isWaiting ? [] : [erased])},
      cc_addresses = ${without(email.cc_addresses)}, bcc_addresses = ${without(email.bcc_addresses)},
      from_address = ${isPerson(email.from_address) ? erased : email.from_address},
      reply_to = ${cleared(email.reply_to, 'address')},
      subject = ${namesPerson(email.subject, 'text', person) ? erased : email.subject},
      tags = ${json(tags)}, headers = ${json(cleared(email.headers, 'json'))}
    where team_id = ${teamId} and id = ${email.id}
  `.execute(tx.db)
}
