import { teamJob } from '../platform/jobs/job.ts'

/** Checks a domain's DNS records in the background. Its key is the domain's id. Run by `domains/check/check.ts`. */
export const checkDomainJob = teamJob('domains.check')
