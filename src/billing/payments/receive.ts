import type { App } from '../../context.ts'
import { recordFact } from '../subscription/record.ts'
import { refuseWithoutBilling } from './providers/none.ts'
import { readEvent } from './read-event.ts'
import { readSigned } from './verify-signature.ts'

/**
 * Receives signed events from the payment provider, in any order, some more than once. Answers after the commit. Events
 * of other types or unknown teams are acknowledged and change nothing.
 */
export async function receivePaymentEvent(
  app: App,
  body: unknown,
  signature: string | string[] | undefined,
): Promise<{ received: true }> {
  const event = readEvent(await readSigned(app, body, signature))
  if (app.payments.name === 'none') return refuseWithoutBilling()
  if (event.kind === 'failedPayment') {
    const { eventId, subscriptionId } = event
    app.log.warn({ event: eventId, subscription: subscriptionId }, 'a payment failed; the payment provider tries again')
  } else if (event.kind === 'said') {
    const isNew = await app.transaction((tx) => recordFact(tx, app.payments.name, event.said))
    const { subscriptionId, fact } = event.said
    app.log.info({ event: fact.eventId, kind: fact.kind, subscription: subscriptionId, isNew }, 'payment event')
  }
  return { received: true }
}
