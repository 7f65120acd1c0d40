import { teamJob } from '../platform/jobs/job.ts'

/**
 * Works on a privacy request. Its key is the request's id; the request's row holds its place. Run by `privacy/run.ts`.
 */
export const runPrivacyJob = teamJob('privacy.run')
