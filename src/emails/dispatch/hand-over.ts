import type { App } from '../../context.ts'
import type { NewJob } from '../../platform/jobs/enqueue.ts'
import type { DispatchOutcome, MessageHead } from '../provider.ts'
import { splitByDomain } from './by-domain/split.ts'
import { composeOutbound, describeOutbound, type Outbound } from './compose.ts'

/** `deliveries`: the jobs it was handed to, to be added where the hand-over is recorded. */
export type HandOver = { message: MessageHead; outcome: DispatchOutcome; deliveries: NewJob[] }

/** Gives an email to the provider, or to the jobs that go to each of its recipients' domains. */
export async function handOver(app: App, email: Outbound): Promise<HandOver> {
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
  return { message, outcome: await provider.send(message), deliveries: [] }
}
