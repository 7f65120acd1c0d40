import { teamJob } from '../platform/jobs/job.ts'

/**
 * Opts out a contact that was locked when its link was used. Its key is the contact's id. Run by
 * `unsubscribe/unsubscribe.ts`.
 */
export const optOutJob = teamJob('unsubscribe.opt-out')
