import type { Config, Tx } from '../context.ts'
import type { Event, EventName } from '../events.ts'
import { currentCause } from './cause/cause.ts'
import { allEnded } from './waiting/all-ended.ts'

declare module '../context.ts' {
  interface Tx {
    subscriptions: readonly Subscriber[]
  }
}

export type Subscription<Name extends EventName = EventName> = {
  types: readonly Name[]
  /** False if this installation has no use for the subscription. */
  isOn?(config: Config): boolean
  /**
   * Runs in the publisher's transaction. It only reads and enqueues; the work is done by a job of the subscriber. A
   * refusal that it throws refuses what the publisher was asked for.
   */
  listen(tx: Tx, events: Event<Name>[], config: Config): Promise<void>
}

/** A subscription as transactions know it. */
export type Subscriber = Pick<Subscription, 'types'> & { listen(tx: Tx, events: Event[]): Promise<void> }

/** Returns the subscriptions that an installation has a use for. */
export function subscribersOf(subscriptions: Subscription[], config: Config): Subscriber[] {
  return subscriptions
    .filter(({ isOn }) => isOn?.(config) ?? true)
    .map(({ types, listen }) => ({ types, listen: (tx, events) => listen(tx, events, config) }))
}

/** Declares a subscription; the names in `types` determine the type of `listen`. */
export function defineSubscription<const Name extends EventName>(subscribed: Subscription<Name>): Subscription<Name> {
  return subscribed
}

/**
 * Publishes events to subscribers in the transaction that caused them. Each subscriber is called once, with all events
 * that it subscribes to, in the order given. Subscribers run side by side: what each sends before it first waits is run
 * in their order. Their later statements have no fixed order. Two processes may deadlock on them, and one then runs its
 * transaction again.
 *
 * The subscribers to an event are the `defineSubscription` with its name, or a list that holds its name, in `types`.
 * The `feature.ts` of each folder lists its own.
 */
export async function publish(tx: Tx, events: Event[]): Promise<void> {
  const heard = new Map<Subscriber, Event[]>()
  const cause = currentCause()?.executionId
  for (const event of cause ? events.map((event) => ({ cause, ...event })) : events) {
    for (const subscription of tx.subscriptions) {
      if (!subscription.types.includes(event.type)) continue
      const its = heard.get(subscription)
      if (its) its.push(event)
      else heard.set(subscription, [event])
    }
  }
  const hearing = [...heard].map(([subscription, its]) => subscription.listen(tx, its))
  await allEnded(hearing)
}
