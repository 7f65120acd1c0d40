import { sql } from 'kysely'
import { lockNamedContacts } from '../audience/lock-contacts.ts'
import type { App, Tx } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { orNotFound } from '../platform/errors.ts'
import { runBulkWrite } from '../platform/http/overload/heavy-reads.ts'
import { lockTopic } from './group.ts'

type Counts = { added: number; reactivated: number }

/** Opts contacts in, including those that had opted out. Throws `invalid` for unknown ids; then none is opted in. */
export function subscribeContacts(app: App, teamId: string, topicId: string, contactIds: string[]) {
  const subscribe = async (tx: Tx) => {
    const topic = await orNotFound('topic', lockTopic(tx, [teamId], topicId))
    const ids = await lockNamedContacts(tx, teamId, contactIds)
    const { added, reactivated } = await optIn(tx, teamId, topicId, ids)
    const target = { type: 'topic', id: topicId, name: topic.name }
    const changes = newValues({ contacts: added + reactivated })
    if (added + reactivated > 0)
      await recordChange(tx, { teamId, action: 'topic.contacts_subscribed', target, changes })
    return { added, reactivated, alreadySubscribed: ids.length - added - reactivated }
  }
  return runBulkWrite(app, teamId, () => app.transaction(subscribe))
}

/** Inserts in the order of ids, so that two requests with the same contacts wait and do not deadlock. */
async function optIn(tx: Tx, teamId: string, topicId: string, ids: string[]): Promise<Counts> {
  // An existing row has been locked by the statement, which shows in its `xmax`.
  const { rows } = await sql<Counts>`
    with changed as (
      insert into topic_subscriptions (team_id, topic_id, contact_id, status, created_at, updated_at)
      select ${teamId}, ${topicId}, contact_id, 'opt_in', ${tx.now}, ${tx.now}
      from unnest(${ids}::uuid[]) as contact_id order by contact_id
      on conflict (team_id, topic_id, contact_id) do update set status = 'opt_in', updated_at = excluded.updated_at
        where topic_subscriptions.status = 'opt_out'
      returning (xmax = 0) as is_new
    )
    select count(*) filter (where is_new)::integer as added, count(*) filter (where not is_new)::integer as reactivated
    from changed
  `.execute(tx.db)
  return rows[0]!
}
