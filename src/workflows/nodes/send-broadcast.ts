import { sql } from 'kysely'
import Type from 'typebox'
import { findBroadcast } from '../../broadcasts/queries.ts'
import { Broadcast } from '../../broadcasts/schema.ts'
import { sendBroadcast } from '../../broadcasts/send.ts'
import type { DomainError } from '../../platform/errors.ts'
import { Strict, Uuid } from '../../platform/http/schema/schema.ts'
import { isTestTeam, liveTeamOf } from '../../platform/mode/mode.ts'
import { becameInvalid, readId } from '../placeholders/became.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { teamCaller } from '../team-caller.ts'
import { action, idOf, type Turn } from './node.ts'

export const sendBroadcastNode = action({
  type: 'send_broadcast',
  title: 'Send a broadcast',
  description: 'Sends a broadcast that is a draft, or schedules it if it has a time in the future.',
  config: Strict({
    broadcast_id: Type.String({
      ...idOf('broadcasts'),
      minLength: 1,
      title: 'Broadcast',
      description: 'The id of a broadcast of the team.',
    }),
  }),
  output: Type.Object({ broadcastId: Uuid, status: Broadcast.properties.status }),
  retries: true,
  references: ({ broadcast_id }) => referenceTo('broadcast', 'broadcast_id', broadcast_id),
  async run(turn, { broadcast_id }) {
    const { app, teamId, idempotencyKey } = turn
    const id = readId('broadcast_id', broadcast_id, 'broadcast')
    const broadcast = await findBroadcast(app.db, teamId, id)
    if (!broadcast) throw await notSendable(turn, id)
    // An earlier attempt sent it.
    if (broadcast.status !== 'draft' && (await isSentBy(turn, id))) return outputOf(broadcast)
    await claimBroadcast(turn, id)
    return outputOf(await sendBroadcast(app, await teamCaller(app, teamId), id, idempotencyKey))
  },
})

/** A live draft would be sent to its audience only once, so a test run leaves it alone. */
async function notSendable({ app, teamId }: Turn, id: string): Promise<DomainError> {
  const isLive = isTestTeam(teamId) && (await findBroadcast(app.db, liveTeamOf(teamId), id))
  const message = isLive
    ? 'names a live broadcast, which an execution of test mode does not send. Name a draft of a test key, or run the workflow with a live key'
    : 'must be the id of a broadcast of this team'
  return becameInvalid({ path: 'broadcast_id', value: id, message })
}

function outputOf({ id, status }: Pick<Broadcast, 'id' | 'status'>) {
  return { output: { broadcastId: id, status } }
}

/** Records the execution that is about to send a draft, since the broadcast's end belongs to the same chain. */
async function claimBroadcast({ app, teamId, executionId }: Turn, broadcastId: string): Promise<void> {
  await app.transaction((tx) =>
    sql`
      insert into workflow_broadcasts (team_id, broadcast_id, execution_id)
      select team_id, id, ${executionId} from broadcasts
      where team_id = ${teamId} and id = ${broadcastId} and status = 'draft'
      on conflict (team_id, broadcast_id) do update set execution_id = excluded.execution_id
    `.execute(tx.db),
  )
}

async function isSentBy({ app, teamId, executionId }: Turn, broadcastId: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('workflow_broadcasts')
    .select('execution_id')
    .where('team_id', '=', teamId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst()
  return row?.execution_id === executionId
}
