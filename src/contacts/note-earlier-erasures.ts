import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { nilId } from '../platform/ids.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { takePacedTurn } from '../platform/jobs/paced-pass.ts'
import { erasedForm } from '../platform/privacy/person.ts'
import { rowsOf } from '../platform/sql/sql-rows.ts'
import { type ContactPlace, noteEarlierErasuresJob } from './jobs.ts'

/** Contacts that one commit looks at, in a fraction of a second. */
const pageSize = 2000

/**
 * Marks the contacts of all teams that are persons erased before there was a mark, a page in each commit. A repeat
 * changes nothing.
 */
export const noteEarlierErasures = defineJob(noteEarlierErasuresJob, {
  concurrency: 1,
  retryDelaysMs: [60_000, 600_000],
  async run(app: App, { payload: { teamId = nilId, id = nilId } }) {
    let place: ContactPlace = { teamId, id }
    const result = await takePacedTurn(app, async () => {
      const last = await app.transaction((tx) => markPage(tx, place))
      place = last ?? place
      return last === null ? 'done' : 'more'
    })
    return result === 'more' ? { runAt: app.clock.now(), payload: place } : undefined
  },
})

/** Returns the place of the page's last contact. Null if there is none after `after`. */
async function markPage(tx: Tx, after: ContactPlace): Promise<ContactPlace | null> {
  const { rows } = await sql<ContactPlace & { emailKey: string }>`
    select team_id as "teamId", id, email_key as "emailKey" from contacts
    where (team_id, id) > (${after.teamId}::uuid, ${after.id}::uuid) order by team_id, id limit ${pageSize}
  `.execute(tx.db)
  const forms = rows.map(({ teamId, id, emailKey }) => ({ teamId, id, form: erasedForm(tx.keyring, emailKey) }))
  await sql`
    with erased as materialized (
      select contacts.team_id, contacts.id, wanted.form
      from ${rowsOf(forms, { teamId: 'uuid', id: 'uuid', form: 'text' }).as('wanted')}
      join suppressions as entry on entry.team_id = wanted.team_id and entry.email_normalized = wanted.form
      join contacts on contacts.team_id = wanted.team_id and contacts.id = wanted.id
      order by contacts.team_id, contacts.email_key for no key update of contacts
    )
    update contacts set erased_form = erased.form from erased
    where contacts.team_id = erased.team_id and contacts.id = erased.id
  `.execute(tx.db)
  const last = rows.at(-1)
  return last ? { teamId: last.teamId, id: last.id } : null
}
