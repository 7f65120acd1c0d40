import type { App } from '../../../context.ts'
import { holdsLease, type Job, LeaseLost } from '../../../platform/jobs/job.ts'
import type { DispatchOutcome, OutboundMessage, WholeProvider } from '../../provider.ts'

/**
 * Hands a message over unless its lease is over, which is checked again when it leaves the line of the provider's connections. A
 * process that was stopped for longer than a lease would otherwise hand over what others have sent meanwhile.
 */
export async function sendWhileHeld(
  app: App,
  job: Job,
  provider: WholeProvider,
  message: OutboundMessage,
  giveUpAt?: number,
): Promise<DispatchOutcome> {
  const mayBegin = () => holdsLease(job, app.clock.now())
  if (!mayBegin()) throw new LeaseLost()
  return provider.send({ ...message, terms: { mayBegin, ...(giveUpAt !== undefined && { giveUpAt }) } })
}
