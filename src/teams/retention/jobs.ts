import { type TeamJob, teamJob } from '../../platform/jobs/job.ts'

/** The pass of a team: what it removes now, where it is, and the retention that it began with. Empty before a pass. */
export type RemoveOldJob = TeamJob<{ stage?: string; after?: string; begunWith?: string }>

/**
 * Removes a team's old data. Its key is the team's id, so that a team has one remover. Run by
 * `retention/remove-old.ts`.
 */
export const removeOldJob = teamJob<RemoveOldJob['payload']>('retention.remove-old')
