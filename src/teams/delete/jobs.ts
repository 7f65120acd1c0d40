import { type SystemJob, systemJob } from '../../platform/jobs/job.ts'

export type RemoveTeamJob = SystemJob

/** Removes the rows of a deleted team. Its key is the team's id. It is no job of the team, since those have stopped. */
export const removeTeamJob = systemJob('teams.remove-deleted')
