import type { Removal } from '../platform/retention/removal.ts'
import { removeOldInAllTeams } from '../platform/retention/remove-in-all-teams.ts'

/** Counts of hours and days that have ended. */
export const systemMailRemovals: Removal[] = [
  {
    kind: 'system-mail.clean-up',
    keptMs: 2 * 24 * 3_600_000,
    remove: removeOldInAllTeams('system_mail_counts', 'since'),
  },
]
