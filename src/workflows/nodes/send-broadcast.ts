import Type from 'typebox'
import { findBroadcast } from '../../broadcasts/queries.ts'
import { sendBroadcast } from '../../broadcasts/send.ts'
import { Strict } from '../../platform/http/schema.ts'
import { claimBroadcast, isSentBy } from '../mail/claim-broadcast.ts'
import { becameInvalid, readId } from '../placeholders/became.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { teamCaller } from '../team-caller.ts'
import { action, idOf } from './node.ts'

/** Output: `{broadcastId, status}`. */
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
  retries: true,
  references: ({ broadcast_id }) => referenceTo('broadcast', 'broadcast_id', broadcast_id),
  async run(turn, { broadcast_id }) {
    const { app, teamId, idempotencyKey } = turn
    const id = readId('broadcast_id', broadcast_id, 'broadcast')
    const broadcast = await findBroadcast(app.db, teamId, id)
    if (!broadcast) {
      throw becameInvalid({ path: 'broadcast_id', value: id, message: 'must be the id of a broadcast of this team' })
    }
    // An earlier attempt sent it.
    if (broadcast.status !== 'draft' && (await isSentBy(turn, id))) return outputOf(broadcast)
    await claimBroadcast(turn, id)
    return outputOf(await sendBroadcast(app, await teamCaller(app, teamId), id, idempotencyKey))
  },
})

function outputOf({ id, status }: { id: string; status: string }) {
  return { output: { broadcastId: id, status } }
}
