import { systemJob } from '../platform/jobs/job.ts'

/**
 * Looks up an account for which a reset link was asked. Its key is of the request. Run by `auth/passwords/forgot.ts`.
 */
export const requestResetJob = systemJob<{ email: string }>('auth.request-reset')
