import type { Removal } from '../../retention/removal.ts'
import { removeOldest } from '../../retention/remove-oldest.ts'

const keptMs = 30 * 86_400_000

export const discardedJobRemovals: Removal[] = [
  { kind: 'jobs.remove-discarded', keptMs, remove: removeOldest('discarded_jobs', 'discarded_at') },
]
