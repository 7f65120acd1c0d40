import Type, { type Static } from 'typebox'
import type { Tx } from '../../context.ts'
import { Strict } from '../../platform/http/schema.ts'
import { lockSegment } from '../../segments/queries.ts'
import type { Draft, Reference, Turn } from '../nodes/node.ts'
import { becameInvalid, readId } from '../placeholders/became.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { ContactField, findNamedContact } from './contact.ts'

export const Membership = Strict({
  segment_id: Type.String({ minLength: 1, title: 'Segment', description: 'The id of a segment of the team.' }),
  contact: ContactField,
})
export type Membership = Static<typeof Membership>

export function referencesOfMembership({ segment_id }: Draft<Membership>): Reference[] {
  return referenceTo('segment', 'segment_id', segment_id)
}

/** Finds the contact and the segment and changes them in one transaction. Throws `invalid` that names the unknown one. */
export function changeMembership<T>(
  { app, teamId }: Turn,
  { segment_id, contact }: Membership,
  change: (tx: Tx, member: { segmentId: string; contactId: string }) => Promise<T>,
): Promise<T> {
  const segmentId = readId('segment_id', segment_id, 'segment')
  return app.transaction(async (tx) => {
    if (!(await lockSegment(tx, teamId, segmentId))) {
      throw becameInvalid({
        path: 'segment_id',
        value: segment_id,
        message: 'must be the id of a segment of this team',
      })
    }
    const { id: contactId } = await findNamedContact(tx.db, teamId, contact)
    return change(tx, { segmentId, contactId })
  })
}
