import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'
import { maskedTraceOf, maskRows } from '../platform/privacy/masked-trace.ts'
import { namesPerson } from '../platform/privacy/names-person.ts'
import { erased, type Person } from '../platform/privacy/person.ts'
import { type Found, type FoundPage, type Trace, traceOf } from '../platform/privacy/trace.ts'
import { forgetSearchCounts } from './list/outdate-counts.ts'
import { eraseEmails } from './privacy/erase-emails.ts'
import { senderCountTrace } from './privacy/sender-counts.ts'
import { showEmail, showEmailEvent, showNaming } from './privacy/show.ts'
import { findSubmittedBodies } from './privacy/submitted-bodies.ts'
import { deleteBodies, hasEnded } from './retention/remove-bodies.ts'

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
