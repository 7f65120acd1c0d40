import type { App } from '../../context.ts'
import { recordFact } from '../subscription/record.ts'
import { refuseWithoutBilling } from './providers/none.ts'
import { readEvent } from './read-event.ts'
import { readSigned } from './verify-signature.ts'

/** It is not ended by itself: the account may also be that of another installation, whose team it is. */
const noTeam =
  'a payment event names a team that does not exist here; if the team was deleted after its checkout began, end the subscription at the payment provider'

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
    const outcome = await app.transaction((tx) => recordFact(tx, app.payments.name, event.said))
    const { subscriptionId, teamId, fact } = event.said
    const about = { event: fact.eventId, kind: fact.kind, subscription: subscriptionId }
    if (outcome === 'ofNoTeam' && fact.kind !== 'deleted') app.log.warn({ ...about, team: teamId }, noTeam)
    else app.log.info({ ...about, isNew: outcome === 'recorded' }, 'payment event')
  }
  return { received: true }
}
