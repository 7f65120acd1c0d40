import { systemJob } from '../../platform/jobs/job.ts'

type RemovalPlace = {
  /** The table whose rows are being removed; the first one if left out. */
  table?: string
  /** The place in the table of jobs: those up to this id have been looked at. */
  after?: string
  /** True if this pass over the tables has removed rows. */
  hasRemoved?: boolean
}

/**
 * Removes the rows of a deleted team. Its key is the team's id. It is no job of the team, since those have stopped. Run
 * by `teams/delete/remove-rows.ts`.
 */
export const removeTeamJob = systemJob<RemovalPlace>('teams.remove-deleted')
