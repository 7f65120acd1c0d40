import Type, { type Static } from 'typebox'
import { Name, Page, Strict, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

/** The length is ours: people find a segment by its name. */
const GivenName = Name({ maxLength: 200, examples: ['Customers'] })

export const NewSegment = Strict({ name: GivenName })
export type NewSegment = Static<typeof NewSegment>

export const SegmentChanges = Strict({ name: GivenName })
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
