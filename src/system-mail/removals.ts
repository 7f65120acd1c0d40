import type { Removal } from '../platform/retention/removal.ts'
import { removeOldest } from '../platform/retention/remove-oldest.ts'

/** Counts of hours and days that have ended. */
export const systemMailRemovals: Removal[] = [
  { kind: 'system-mail.clean-up', keptMs: 2 * 24 * 3_600_000, remove: removeOldest('system_mail_counts', 'since') },
]
