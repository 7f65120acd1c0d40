import type { App, Db, Tx } from '../../../../context.ts'
import { egressAnywhere } from '../../../../platform/egress/anywhere.ts'
import { enqueueHeldJobs, enqueueJobs, type NewJob } from '../../../../platform/jobs/enqueue.ts'
import { defineJob } from '../../../../platform/jobs/job.ts'
import { deleteHeldJobs, returnHeldJob } from '../../../../platform/jobs/leases.ts'
import { perApp } from '../../../../platform/per-app.ts'
import { deliverSandboxEventJob, type SandboxEventJob } from '../../../jobs.ts'
import { retryDelaysMs } from '../../../retry-delays.ts'
import { webhookSecretOf } from '../../verify-signature.ts'
import type { SandboxEvent } from './events.ts'

const timeoutMs = 10_000
const hourMs = 3_600_000

/** Posts events as a payment provider does: signed, and repeated until they are accepted. */
export const deliverSandboxEvent = defineJob(deliverSandboxEventJob, {
  concurrency: 4,
  retryDelaysMs,
  async run(app, job) {
    // Another configured provider would mistake the signed event for its own.
    if (app.payments.name !== 'sandbox') return { runAt: new Date(app.clock.now().getTime() + hourMs) }
    await deliver(app, job)
    return undefined
  },
})

/** Enqueues events, which a worker posts. */
export function enqueueEvents(tx: Tx, teamId: string, events: SandboxEvent[]): Promise<void> {
  return enqueueJobs(tx, deliverSandboxEventJob, jobsOf(teamId, events))
}

/**
 * Enqueues events that this process holds; the request passes them to `deliverNow`. If its process dies, a worker posts
 * them.
 */
export function enqueueHeldEvents(tx: Tx, teamId: string, events: SandboxEvent[]): Promise<SandboxEventJob[]> {
  return enqueueHeldJobs(tx, deliverSandboxEventJob, jobsOf(teamId, events))
}

/** Posts events at once, so that the page shows their effect. A worker repeats the events that are not accepted. */
export async function deliverNow(app: App, jobs: SandboxEventJob[]): Promise<void> {
  for (const job of jobs) {
    const release = app.jobs.hold(job)
    try {
      await deliver(app, job)
      await app.transaction((tx) => deleteHeldJobs(tx, [job]))
    } catch (error) {
      app.log.warn({ err: error }, 'an event of the payment sandbox was not accepted and will be repeated')
      const runAt = new Date(app.clock.now().getTime() + retryDelaysMs[0]!)
      await app.transaction((tx) => returnHeldJob(tx, job, runAt, { error: (error as Error).message }))
    } finally {
      release()
    }
  }
}

/** Tells whether events of the team are still waiting to be posted. */
export async function isDelivering(db: Db, teamId: string): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', deliverSandboxEventJob.kind)
    .where('team_id', '=', teamId)
    .limit(1)
    .executeTakeFirst()
  return job !== undefined
}

export async function closeDelivery(app: App): Promise<void> {
  await clientOf(app).close()
}

function jobsOf(teamId: string, events: SandboxEvent[]): NewJob<SandboxEventJob>[] {
  return events.map((event) => ({ teamId, key: event.id, payload: { event } }))
}

async function deliver(app: App, { payload }: SandboxEventJob): Promise<void> {
  const body = JSON.stringify(payload.event)
  const { default: Stripe } = await import('stripe')
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: webhookSecretOf(app),
    timestamp: Math.floor(app.clock.now().getTime() / 1000),
  })
  const result = await clientOf(app).request({
    url: `${app.ownUrl()}/v1/webhooks/payments`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    body,
    timeoutMs,
    bodyMaxBytes: 1000,
  })
  if (result.kind !== 'answered') throw new Error(result.reason)
  if (result.status !== 200) throw new Error(`${app.ownUrl()} answered ${result.status}`)
}

/** Allows private addresses: the only target is this server, whose address need not be public. */
const clientOf = perApp((app) => egressAnywhere(app.names.resolve))
