import { teamJob } from '../platform/jobs/job.ts'

/**
 * Removes the members of a deleted segment, or the subscriptions of a deleted topic. Its key is the id of that. Run by
 * `audience/forget-members.ts`.
 */
export const forgetMembersJob = teamJob<{ noun: 'segment' | 'topic' }>('audience.forget-members')
