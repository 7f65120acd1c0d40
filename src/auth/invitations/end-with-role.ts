import { defineSubscription } from '../../platform/events.ts'
import { deleteInvitationsBy } from './queries.ts'

/** Ends the invitations of a member who left, or may no longer make such invitations. */
export const endWithRole = defineSubscription({
  types: ['team.member_changed'],
  async listen(tx, events) {
    for (const { teamId, data } of events) {
      const { userId, role } = data
      if (role === 'owner') continue
      await deleteInvitationsBy(tx, teamId, role === 'admin' ? { userId, role: 'owner' } : { userId })
    }
  },
})
