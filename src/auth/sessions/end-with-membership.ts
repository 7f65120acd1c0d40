import { defineSubscription } from '../../platform/events.ts'
import { updateLoginsOfTeamRevoked } from './queries.ts'

/** Ends the sessions of a member who left or was removed, so that joining again does not bring them back. */
export const endWithMembership = defineSubscription({
  types: ['team.member_changed'],
  async listen(tx, events) {
    for (const { teamId, data } of events) {
      if (data.role === null) await updateLoginsOfTeamRevoked(tx, data.userId, teamId)
    }
  },
})
