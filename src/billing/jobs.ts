import { systemJob, type TeamJob, teamJob } from '../platform/jobs/job.ts'
import type { SandboxEvent } from './payments/providers/sandbox/events.ts'

/** `failures` is the number of consecutive rounds in which the provider accepted nothing. */
export type ReportUsageJob = TeamJob<{ failures?: number }>

/**
 * Reports a team's overage to the payment provider. Its key is the team's id, and it exists while anything is
 * unreported. Run by `billing/usage/report.ts`.
 */
export const reportUsageJob = teamJob<ReportUsageJob['payload']>('billing.report-usage')

/**
 * Ends a subscription, which a later one has replaced, at the provider. Its key is the id of the subscription. Run by
 * `billing/subscription/end-replaced.ts`.
 */
export const endReplacedJob = systemJob('billing.end-replaced')

export type SandboxEventJob = TeamJob<{ event: SandboxEvent }>

/**
 * Posts one event as the payment provider does. Its key is the event's id. Run by
 * `billing/payments/providers/sandbox/deliver.ts`.
 */
export const deliverSandboxEventJob = teamJob<SandboxEventJob['payload']>('billing.deliver-sandbox-event')
