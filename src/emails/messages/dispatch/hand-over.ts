import type { App } from '../../../context.ts'
import type { NewJob } from '../../../platform/jobs/enqueue.ts'
import type { DeliveryJob } from '../../jobs.ts'
import type { DispatchOutcome, MessageHead } from '../../provider.ts'
import { repeatByDomain, splitByDomain } from './by-domain/split.ts'
import { composeOutbound, describeOutbound } from './compose.ts'
import type { Outbound } from './outbound.ts'

/** `deliveries`: the jobs it was handed to, to be added where the hand-over is recorded. */
export type HandOver = { message: MessageHead; outcome: DispatchOutcome; deliveries: NewJob<DeliveryJob>[] }

/**
 * Gives an email to the provider, or to the jobs that go to each of its recipients' domains. Recipients of whom a relay has
 * not said its last word are given to such jobs too; with `repeatLost` also those whose answer was lost.
 */
export async function handOver(app: App, email: Outbound, { repeatLost }: { repeatLost: boolean }): Promise<HandOver> {
  const provider = app.emailProvider
  if ('findRoute' in provider) {
    const message = describeOutbound(app, email)
    const accepted = message.envelope.to
    return {
      message,
      outcome: { kind: 'answered', accepted, facts: [], response: null },
      deliveries: splitByDomain(message),
    }
  }
  const message = await composeOutbound(app, email)
  return withOpen(app, message, await provider.send(message), repeatLost)
}

function withOpen(app: App, message: MessageHead, outcome: DispatchOutcome, repeatLost: boolean): HandOver {
  if (outcome.kind !== 'answered' || !outcome.open?.length) return { message, outcome, deliveries: [] }
  const again = outcome.open.filter(({ result }) => result !== 'lost' || repeatLost)
  return { message, outcome, deliveries: repeatByDomain(message, again, app.clock.now()) }
}
