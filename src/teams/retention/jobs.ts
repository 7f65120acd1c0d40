import { type TeamJob, teamJob } from '../../platform/jobs/job.ts'

/** The pass of a team: what it removes now, where it is, and the retention that it began with. Empty before a pass. */
export type RemoveInTeamJob = TeamJob<{ stage?: string; after?: string; begunWith?: string }>

/**
 * Removes a team's old data and what it has too much of. Its key is the team's id, so that a team has one remover. Run
 * by `retention/remove-in-team.ts`.
 */
export const removeInTeamJob = teamJob<RemoveInTeamJob['payload']>('retention.remove-old')
