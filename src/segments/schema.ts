import Type, { type Static } from 'typebox'
import { Body, IdOf, Name, Page, Resource, Strict, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

/** The length is ours: people find a segment by its name. */
const GivenName = Name({ maxLength: 200, examples: ['Customers'] })

export const NewSegment = Body('NewSegment', { name: GivenName })
export type NewSegment = Static<typeof NewSegment>

export const SegmentChanges = Body('SegmentChanges', { name: GivenName })
export type SegmentChanges = Static<typeof SegmentChanges>

export const SegmentContactParams = Strict({ id: IdOf('the segment'), contactId: IdOf('the contact') })

export const Segment = Resource('Segment', {
  id: Uuid,
  name: Type.String({ examples: ['Customers'] }),
  contactCount: Type.Integer(),
  unsubscribedCount: Type.Integer({ description: 'Those of them that have unsubscribed.' }),
  createdAt: Timestamp,
})

export const SegmentList = Page(Segment)

export const AddedToSegment = Resource('SegmentAdditions', { added: Type.Integer(), alreadyInSegment: Type.Integer() })
