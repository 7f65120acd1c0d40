import { systemJob, teamJob } from '../platform/jobs/job.ts'

/**
 * Delivers what is pending at one endpoint. Its key is the webhook's id, and it exists while anything is pending. Run
 * by `webhooks/dispatch/deliver.ts`.
 */
export const deliverToEndpointJob = teamJob('webhooks.deliver')

/** Where a replay of failed deliveries is. `left` counts those that it may still add. */
type Replay = { since: string; afterId: string | null; beforeId: string; left: number }

/**
 * Sends failed deliveries again. Its key is the webhook's id, so there is one replay of a webhook at a time. Run by
 * `webhooks/deliveries/replay-failed.ts`.
 */
export const replayFailedJob = teamJob<Replay>('webhooks.replay-failed')

/**
 * Removes the deliveries of a deleted webhook. Its key is the webhook's id. It also runs once the team is deleted,
 * whose jobs stop. Run by `webhooks/deliveries/forget.ts`.
 */
export const forgetDeliveriesJob = systemJob<{ teamId: string }>('webhooks.forget-deliveries')
