import Type from 'typebox'
import { Contact } from '../../contacts/schema.ts'
import { Strict, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'
import { findContacts } from '../triggers/events/contacts.ts'
import { isWanted } from '../triggers/events/event.ts'
import { idOf, trigger } from './node.ts'

const names = ['created', 'updated', 'unsubscribed', 'added_to_segment'] as const

export const contactEventNode = trigger({
  type: 'contact_event',
  title: 'Contact event',
  description: 'Fires for each contact that is created, updated, unsubscribed or added to a segment.',
  config: Strict({
    events: Type.Array(TextEnum(...names), {
      minItems: 1,
      maxItems: 20,
      title: 'Events',
      description: 'The events that fire the trigger.',
      examples: [['created']],
    }),
    segment_id: Type.Optional(
      Type.String({
        ...Uuid,
        ...idOf('segments'),
        title: 'Segment',
        description: 'Only contacts that are added to this segment, and the other events of contacts in it.',
      }),
    ),
  }),
  output: Type.Object({ event: TextEnum(...names), contact: Contact }),
  on: {
    events: names.map((name) => `contact.${name}` as const),
    listensTo: ({ events }) => events.map((name) => `contact.${name}`),
    subjectOf: ({ data }) => ('segmentId' in data ? data.segmentId : undefined),
    matches: ({ type, data }, { segment_id }) =>
      type !== 'contact.added_to_segment' || isWanted(segment_id, data.segmentId),
    async read(db, teamId, events) {
      const ids = events.map(({ data }) => data.contactId)
      const contacts = await findContacts(db, teamId, [...new Set(ids)])
      return events.flatMap((event, index) => {
        const contact = contacts.get(ids[index]!)
        // The contact was deleted meanwhile.
        if (!contact) return []
        const { type } = event
        return {
          event,
          triggerData: { event: type.slice('contact.'.length) as (typeof names)[number], contact },
          passes: ({ segment_id }) =>
            isAddition(type) ||
            segment_id === undefined ||
            contact.segments.some(({ segmentId }) => isWanted(segment_id, segmentId)),
        }
      })
    },
  },
  references: ({ segment_id: id }) => (id === undefined ? [] : [{ path: 'segment_id', noun: 'segment', id }]),
})

/** True if the event names the segment. For other events, the contact's present segments count. */
function isAddition(type: string): boolean {
  return type === 'contact.added_to_segment'
}
