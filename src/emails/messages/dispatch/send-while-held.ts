import type { App } from '../../../context.ts'
import { holdsLease, type Job, LeaseLost } from '../../../platform/jobs/job.ts'
import type { DispatchOutcome, OutboundMessage, WholeProvider } from '../../provider.ts'

/**
 * Hands a message over unless its lease has expired, which is checked again when the provider has a free connection. A
 * process that was stopped for longer than a lease would otherwise hand over a message that others have sent meanwhile.
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
