import Type, { type Static } from 'typebox'
import { Page, Strict, Text, Timestamp, Uuid } from '../platform/http/schema.ts'

/** The length is ours: people find a segment by its name. */
const Name = Text({ minLength: 1, maxLength: 200, examples: ['Customers'] })

export const NewSegment = Strict({ name: Name })
export type NewSegment = Static<typeof NewSegment>

export const SegmentChanges = Strict({ name: Name })
export type SegmentChanges = Static<typeof SegmentChanges>

export const SegmentContactParams = Strict({ id: Uuid, contactId: Uuid })

export const Segment = Type.Object({
  id: Uuid,
  name: Type.String({ examples: ['Customers'] }),
  contactCount: Type.Integer(),
  unsubscribedCount: Type.Integer({ description: 'Those of them that have unsubscribed.' }),
  createdAt: Timestamp,
})

export const SegmentList = Page(Segment)

export const AddedToSegment = Type.Object({ added: Type.Integer(), alreadyInSegment: Type.Integer() })
