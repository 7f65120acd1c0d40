import Type from 'typebox'
import type { Tx } from '../../context.ts'
import { Uuid } from '../../platform/http/schema/schema.ts'
import { removeContactFromSegment } from '../../segments/remove-contact.ts'
import { fillWithContact } from '../audience/contact.ts'
import { changeMembership, type Member, Membership, referencesOfMembership } from '../audience/membership.ts'
import { action } from './node.ts'

export const removeSegmentNode = action({
  type: 'remove_segment',
  title: 'Remove from a segment',
  description: 'Removes a contact from a segment; the contact stays. `removed` is false if it was not in it.',
  config: Membership,
  output: Type.Object({ contactId: Uuid, segmentId: Uuid, removed: Type.Boolean() }),
  retries: true,
  references: referencesOfMembership,
  prepare: fillWithContact,
  async run(turn, input) {
    const { teamId } = turn
    const remove = (tx: Tx, member: Member) => removeContactFromSegment(tx, { teamId, ...member })
    const { changed, ...member } = await changeMembership(turn, input, remove)
    return { output: { ...member, removed: changed } }
  },
})
