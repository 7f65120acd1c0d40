import type { Removal } from '../../retention/removal.ts'
import { removeOldInAllTeams } from '../../retention/remove-in-all-teams.ts'

const keptMs = 30 * 86_400_000

export const discardedJobRemovals: Removal[] = [
  { kind: 'jobs.remove-discarded', keptMs, remove: removeOldInAllTeams('discarded_jobs', 'discarded_at') },
]
