import type { Removal } from '../platform/retention/removal.ts'
import { removeOldInAllTeams } from '../platform/retention/remove-in-all-teams.ts'
import { networkKeptMs } from './throttle/known-networks.ts'
import { longestWindowMs } from './throttle/rules.ts'

const kind = 'auth.clean-up'

export const authRemovals: Removal[] = [
  { kind, keptMs: 0, remove: removeOldInAllTeams('refresh_tokens', 'expires_at') },
  { kind, keptMs: longestWindowMs, remove: removeOldInAllTeams('login_failures', 'failed_at') },
  { kind, keptMs: networkKeptMs, remove: removeOldInAllTeams('known_networks', 'last_used_at') },
  { kind, keptMs: 0, remove: removeOldInAllTeams('account_tokens', 'expires_at') },
  { kind, keptMs: 0, remove: removeOldInAllTeams('team_invitations', 'expires_at') },
]
