import type { App, Caller } from '../context.ts'
import { refuseForeignSender } from '../emails/messages/accept/refuse.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { bodiesAfter, checkFields, columnsOf } from './parse.ts'
import { findBroadcast, noteAudience } from './queries.ts'
import type { Broadcast, NewBroadcast } from './schema.ts'

const nothing = { html: null, text: null, text_made: false }
const empty = { topic_id: null, reply_to: null, scheduled_at: null }

/** Creates a draft. Throws `invalid`, and `forbidden` if the caller's key is restricted to another domain. */
export async function createBroadcast(app: App, caller: Caller, fields: NewBroadcast): Promise<Broadcast> {
  checkFields(fields, app.clock.now())
  await refuseForeignSender(app.db, caller, [fields.from])
  const bodies = bodiesAfter(nothing, fields)
  const { teamId } = caller
  return app.transaction(async (tx) => {
    await refuseStorage(tx.db, teamId)
    const columns = (await columnsOf(tx, caller, fields)) as Required<Awaited<ReturnType<typeof columnsOf>>>
    const id = tx.newId()
    await tx.db
      .insertInto('broadcasts')
      .values({ ...empty, ...columns, ...bodies, team_id: teamId, id, created_at: tx.now })
      .execute()
    await noteAudience(tx, teamId, id)
    return (await findBroadcast(tx.db, teamId, id))!
  })
}
