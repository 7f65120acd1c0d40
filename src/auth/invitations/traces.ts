import { traceOf } from '../../platform/privacy/trace.ts'

/** Open invitations of the person, which are deleted. */
export const invitationTraces = [
  traceOf({ name: 'invitations', table: 'team_invitations', key: ['id'], searched: { email: 'address' } }),
]
