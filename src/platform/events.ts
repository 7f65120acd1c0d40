import type { Tx } from '../context.ts'

/** What happened, told inside the transaction that made it so. */
export type Event = {
  type: string
  teamId: string
  data: Record<string, unknown>
  /** The id of what brought it about, where that may not run in circles. */
  cause?: string
}

/** Called in the publisher's transaction; it only reads and enqueues: the work is a job of the listener's own. */
export type Subscription = { types: readonly string[]; listen(tx: Tx, events: Event[]): Promise<void> }

/** Tells every listener of each event, many events at once. Nobody upstream knows who listens: the roof connects them. */
export async function publish(tx: Tx, events: Event[]): Promise<void> {
  const heard = new Map<Subscription, Event[]>()
  for (const event of events) {
    for (const subscription of tx.subscriptions) {
      if (!subscription.types.includes(event.type)) continue
      const its = heard.get(subscription)
      if (its) its.push(event)
      else heard.set(subscription, [event])
    }
  }
  for (const [subscription, its] of heard) await subscription.listen(tx, its)
}
