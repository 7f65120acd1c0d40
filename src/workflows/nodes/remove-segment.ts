import { removeContactFromSegment } from '../../segments/remove-contact.ts'
import { fillWithContact } from '../audience/contact.ts'
import { changeMembership, Membership, referencesOfMembership } from '../audience/membership.ts'
import { action } from './node.ts'

/** Output: `{contactId, segmentId, removed}`. */
export const removeSegmentNode = action({
  type: 'remove_segment',
  title: 'Remove from a segment',
  description: 'Removes a contact from a segment; the contact stays. `removed` is false if it was not in it.',
  config: Membership,
  retries: true,
  references: referencesOfMembership,
  prepare: fillWithContact,
  run: (turn, input) =>
    changeMembership(turn, input, async (tx, member) => {
      const removed = await removeContactFromSegment(tx, { teamId: turn.teamId, ...member })
      return { output: { ...member, removed } }
    }),
})
