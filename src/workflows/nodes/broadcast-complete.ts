import Type from 'typebox'
import { BroadcastStats } from '../../broadcasts/schema.ts'
import { Strict, Uuid } from '../../platform/http/schema/schema.ts'
import { isWanted } from '../triggers/events/event.ts'
import { idOf, trigger } from './node.ts'

export const broadcastCompleteNode = trigger({
  type: 'broadcast_complete',
  title: 'Broadcast complete',
  description: 'Fires when a broadcast has been sent to its last recipient.',
  config: Strict({
    broadcast_id: Type.Optional(
      Type.String({
        ...Uuid,
        ...idOf('broadcasts'),
        title: 'Broadcast',
        description: 'Only this broadcast. If left out, any.',
      }),
    ),
  }),
  output: Type.Object({ broadcastId: Uuid, stats: BroadcastStats }),
  on: {
    events: ['broadcast.completed'],
    listensTo: () => ['broadcast.completed'],
    subjectOf: ({ data }) => data.broadcastId,
    matches: ({ data }, { broadcast_id }) => data.ending === 'sent' && isWanted(broadcast_id, data.broadcastId),
    read: async (_db, _teamId, events) =>
      events.map((event) => {
        const { broadcastId, stats } = event.data
        return { event, triggerData: { broadcastId, stats } }
      }),
  },
  references: ({ broadcast_id: id }) => (id === undefined ? [] : [{ path: 'broadcast_id', noun: 'broadcast', id }]),
})
