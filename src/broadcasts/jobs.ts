import { teamJob } from '../platform/jobs/job.ts'

/**
 * Takes one broadcast from scheduled to sent. Its key is the broadcast's id. Run by `broadcasts/dispatch/dispatch.ts`.
 *
 * | field | says | until |
 * | --- | --- | --- |
 * | `waitingForLimit` | it waits for the team's daily limit, and runs as soon as the limit is raised | it runs |
 * | `skipped` | the recipients in a row that were skipped, because making their emails failed | a step succeeds |
 * | `planMax` | the recipients of a page, once a larger one took too long | it waits, before planning begins or after it |
 */
export const dispatchBroadcastJob = teamJob<{ waitingForLimit?: true; skipped?: number; planMax?: number }>(
  'broadcasts.dispatch',
)
export type DispatchJob = NonNullable<typeof dispatchBroadcastJob.job>

/**
 * Ends a broadcast that is cancelled while it is sending. Its key is the broadcast's id. It is there in place of the
 * job that sends. Run by `broadcasts/dispatch/stop.ts`.
 */
export const stopBroadcastJob = teamJob('broadcasts.stop')
