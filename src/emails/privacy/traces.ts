import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { erased, type Person, patternOf } from '../../platform/privacy/person.ts'
import { type Found, type FoundPage, type Trace, traceOf } from '../../platform/privacy/trace.ts'
import { deliverEmailJob } from '../jobs.ts'
import { returnScheduled } from '../quota/usage.ts'
import { deleteBodies } from '../retention/remove-bodies.ts'
import { deleteEmails } from '../retention/remove-emails.ts'
import { findSubmittedBodies } from './submitted-bodies.ts'

const idsOf = (found: Found[]) => found.map(({ key }) => key[0]!)

const storedBodies = traceOf({
  ...{ name: 'emailBodies', table: 'email_contents', key: ['email_id'] },
  text: sql`concat_ws(E'\n', html, text, variables::text)`,
  hidden: ['unsubscribe_seed', 'source'],
  // Mail that is still to be sent to others may name the person in its text, and is sent as it is.
  only: sql`exists (
    select from emails as email where email.team_id = page.team_id and email.id = page.email_id and email.status <> 'scheduled'
  )`,
  async erase(tx, teamId, found) {
    await deleteBodies(tx, teamId, idsOf(found))
    return found.length
  },
})

export const emailTraces: Trace[] = [
  traceOf({
    ...{ name: 'emails', table: 'emails', key: ['id'] },
    text: sql`concat_ws(E'\n', from_address, to_addresses::text, cc_addresses::text, bcc_addresses::text, reply_to, subject,
      tags::text, headers::text)`,
    erase: eraseEmails,
  }),
  traceOf({
    ...{ name: 'emailEvents', table: 'email_events', key: ['email_id', 'id'] },
    text: sql`concat_ws(E'\n', recipient, data::text)`,
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

/**
 * Deletes emails to the person alone; one that was to be sent is not sent. In emails to others too, `erased` takes the place of
 * the address, and the bodies go. An email that is being handed over at this moment waits for the next round.
 */
async function eraseEmails(tx: Tx, teamId: string, found: Found[], person: Person): Promise<number> {
  const pattern = patternOf(person)
  const { rows } = await sql<{ id: string; status: string; isAlone: boolean }>`
    select id, status, not exists (
      select from unnest(to_addresses || coalesce(cc_addresses, '{}') || coalesce(bcc_addresses, '{}')) as address
      where address !~* ${pattern}
    ) as "isAlone"
    from emails
    where team_id = ${teamId} and id = any(${idsOf(found)}::uuid[]) and not dispatching
  `.execute(tx.db)
  const alone = rows.filter(({ isAlone }) => isAlone)
  for (const { id, status } of alone) {
    if (status !== 'scheduled') continue
    await returnScheduled(tx, teamId, id)
    await deleteJob(tx, deliverEmailJob, id)
  }
  const deleted = await deleteEmails(
    tx,
    teamId,
    alone.map(({ id }) => id),
  )
  const others = rows.filter(({ isAlone }) => !isAlone)
  const ids = others.map(({ id }) => id)
  // An email that is still to be sent needs valid addresses, so the person's is left out.
  const without = (column: string) => sql`(
    select array_agg(case when address ~* ${pattern} then ${erased} else address end)
    from unnest(${sql.ref(column)}) as address where status <> 'scheduled' or address !~* ${pattern}
  )`
  const cleared = (column: string) => sql`case when ${sql.ref(column)}::text !~* ${pattern} then ${sql.ref(column)} end`
  await sql`
    update emails set to_addresses = coalesce(${without('to_addresses')}, array[${erased}]),
      cc_addresses = ${without('cc_addresses')}, bcc_addresses = ${without('bcc_addresses')},
      from_address = case when from_address ~* ${pattern} then ${erased} else from_address end,
      reply_to = ${cleared('reply_to')}, tags = ${cleared('tags')}, headers = ${cleared('headers')},
      subject = case when subject ~* ${pattern} then ${erased} else subject end
    where team_id = ${teamId} and id = any(${ids}::uuid[])
  `.execute(tx.db)
  await deleteBodies(
    tx,
    teamId,
    others.filter(({ status }) => status !== 'scheduled').map(({ id }) => id),
  )
  return deleted + others.length
}
