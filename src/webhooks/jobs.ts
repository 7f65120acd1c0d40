import { teamJob } from '../platform/jobs/job.ts'

/** Delivers what is pending at one endpoint. Its key is the webhook's id, and it exists while anything is pending. */
export const deliverToEndpointJob = teamJob('webhooks.deliver')

/** Removes the deliveries of a deleted webhook. Its key is the webhook's id. */
export const forgetDeliveriesJob = teamJob('webhooks.forget')
