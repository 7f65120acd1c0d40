import type { Removal } from '../platform/retention/removal.ts'
import { removeOldest } from '../platform/retention/remove-oldest.ts'
import { networkKeptMs } from './throttle/known-networks.ts'
import { longestWindowMs } from './throttle/rules.ts'

const kind = 'auth.clean-up'

export const authRemovals: Removal[] = [
  { kind, keptMs: 0, remove: removeOldest('refresh_tokens', 'expires_at') },
  { kind, keptMs: longestWindowMs, remove: removeOldest('login_failures', 'failed_at') },
  { kind, keptMs: networkKeptMs, remove: removeOldest('known_networks', 'last_used_at') },
  { kind, keptMs: 0, remove: removeOldest('account_tokens', 'expires_at') },
  { kind, keptMs: 0, remove: removeOldest('team_invitations', 'expires_at') },
]
