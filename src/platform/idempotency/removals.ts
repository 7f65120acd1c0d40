import type { Removal } from '../retention/removal.ts'
import { removeOldInAllTeams } from '../retention/remove-in-all-teams.ts'

/** Keys are promised for 24 hours. They are kept for two days, so that a retry a day later still finds its key. */
const keptMs = 48 * 3_600_000

export const requestKeyRemovals: Removal[] = [
  { kind: 'idempotency.clean-up', keptMs, remove: removeOldInAllTeams('idempotency_keys', 'created_at') },
]
