import { teamJob } from '../platform/jobs/job.ts'

/** Hands one message over. Its key is the message's id. */
export const deliverSmsJob = teamJob('sms.deliver')
