import Type, { type Static } from 'typebox'
import type { Tx } from '../../context.ts'
import { Strict } from '../../platform/http/schema/schema.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { lockSegment } from '../../segments/group.ts'
import { type Draft, idOf, type Reference, type Turn } from '../nodes/node.ts'
import { becameInvalid, readId } from '../placeholders/became.ts'
import { referenceTo } from '../placeholders/reference.ts'
import { ContactField, findNamedContact } from './contact.ts'

export const Membership = Strict({
  segment_id: Type.String({
    ...idOf('segments'),
    minLength: 1,
    title: 'Segment',
    description: 'The id of a segment of the team.',
  }),
  contact: ContactField,
})
export type Membership = Static<typeof Membership>

export function referencesOfMembership({ segment_id }: Draft<Membership>): Reference[] {
  return referenceTo('segment', 'segment_id', segment_id)
}

export type Member = { segmentId: string; contactId: string }

/**
 * Finds the contact and the segment and changes them in one transaction, with `change`, which tells whether something
 * changed. In test mode, a live contact and a live segment stay as they are. Throws `invalid` that names the unknown
 * one.
 */
export function changeMembership(
  { app, teamId }: Turn,
  { segment_id, contact }: Membership,
  change: (tx: Tx, member: Member) => Promise<boolean>,
): Promise<Member & { changed: boolean }> {
  const segmentId = readId('segment_id', segment_id, 'segment')
  return app.transaction(async (tx) => {
    const segment = await lockSegment(tx, teamsReadBy(teamId), segmentId)
    if (!segment) {
      throw becameInvalid({
        path: 'segment_id',
        value: segment_id,
        message: 'must be the id of a segment of this team',
      })
    }
    const { id: contactId, isOwn } = await findNamedContact(tx.db, teamId, contact)
    const member = { segmentId, contactId }
    return { ...member, changed: isOwn && segment.teamId === teamId && (await change(tx, member)) }
  })
}
