import type { App, Tx } from '../../../context.ts'
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts'
import { defineJob, type TeamJob } from '../../../platform/jobs/job.ts'
import { endHeldJob } from '../../../platform/jobs/leases.ts'
import { findSmsPriceJob } from '../../jobs.ts'
import { type FactOfSms, hasLeft } from './consequences.ts'
import { recordSmsPrice } from './record.ts'

const minuteMs = 60_000
/** Twilio knows most prices within minutes of the delivery, and nearly all of them within 24 hours. */
const delaysMs = [minuteMs, 10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs]

/** Enqueues jobs that ask for the prices of sent messages, if the provider does not report prices. */
export async function awaitPrices(app: App, tx: Tx, facts: FactOfSms[]): Promise<void> {
  if (!app.providers.sms.live.findPrice) return
  const sent = facts.filter(({ fact }) => hasLeft(fact.type) && !fact.carrierPrice)
  const teams = new Map(sent.map(({ teamId, messageId }) => [messageId, teamId]))
  const runAt = new Date(tx.now.getTime() + delaysMs[0]!)
  const jobs = [...teams].map(([key, teamId]) => ({ teamId, key, runAt }))
  await enqueueJobs(tx, findSmsPriceJob, jobs)
}

/** Asks the provider for the price of a message until it knows one, for about a day. */
export const findSmsPrice = defineJob(findSmsPriceJob, {
  concurrency: 8,
  fair: true,
  retryDelaysMs: delaysMs.slice(1),
  async run(app, job) {
    const providerMessageId = await findUnpriced(app, job)
    if (providerMessageId === null) return undefined
    const price = (await app.providers.sms.live.findPrice?.(providerMessageId)) ?? null
    if (!price) return laterOrNever(app, job)
    await app.transaction(async (tx) => {
      await recordSmsPrice(tx, { teamId: job.teamId, messageId: job.key }, price)
      await endHeldJob(tx, job)
    })
    return 'recorded'
  },
})

function laterOrNever(app: App, { attempts }: TeamJob): { runAt: Date } | undefined {
  const delayMs = delaysMs[attempts]
  return delayMs === undefined ? undefined : { runAt: new Date(app.clock.now().getTime() + delayMs) }
}

/** The provider's id of a message that has no price yet. */
async function findUnpriced(app: App, { teamId, key }: TeamJob): Promise<string | null> {
  const message = await app.db
    .selectFrom('sms_messages')
    .select('provider_message_id')
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .where('provider', '=', app.providers.sms.live.name)
    .where('carrier_price', 'is', null)
    .executeTakeFirst()
  return message?.provider_message_id ?? null
}
