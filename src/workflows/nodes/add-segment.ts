import Type from 'typebox'
import { Uuid } from '../../platform/http/schema/schema.ts'
import { addContactsToSegment } from '../../segments/add-contacts.ts'
import { fillWithContact } from '../audience/contact.ts'
import { changeMembership, Membership, referencesOfMembership } from '../audience/membership.ts'
import { action } from './node.ts'

export const addSegmentNode = action({
  type: 'add_segment',
  title: 'Add to a segment',
  description: 'Adds a contact to a segment. `added` is false if it was in it already.',
  config: Membership,
  output: Type.Object({ contactId: Uuid, segmentId: Uuid, added: Type.Boolean() }),
  retries: true,
  references: referencesOfMembership,
  prepare: fillWithContact,
  async run(turn, input) {
    const { teamId, executionId: cause } = turn
    const { changed, ...member } = await changeMembership(turn, input, async (tx, { segmentId, contactId }) => {
      const { added } = await addContactsToSegment(tx, { teamId, segmentId, contactIds: [contactId], cause })
      return added > 0
    })
    return { output: { ...member, added: changed } }
  },
})
