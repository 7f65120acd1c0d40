import Type from 'typebox'
import { Strict, TextEnum, Uuid } from '../../platform/http/schema.ts'
import { trigger } from './node.ts'

export const contactEventNode = trigger({
  type: 'contact_event',
  title: 'Contact event',
  description: 'Fires for each contact that is created, updated, unsubscribed or added to a segment.',
  config: Strict({
    events: Type.Array(TextEnum('created', 'updated', 'unsubscribed', 'added_to_segment'), {
      minItems: 1,
      maxItems: 20,
      title: 'Events',
      description: 'Any of these fires.',
      examples: [['created']],
    }),
    segment_id: Type.Optional(
      Type.String({
        ...Uuid,
        title: 'Segment',
        description: 'Only for this segment: contacts added to it, and the other events of contacts that are in it.',
      }),
    ),
  }),
  references: ({ segment_id: id }) => (id === undefined ? [] : [{ path: 'segment_id', noun: 'segment', id }]),
})
