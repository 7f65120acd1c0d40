import type { App } from '../../../context.ts'
import type { MeteredUsage, PaymentsProvider } from '../provider.ts'
import { endSubscription } from './sandbox/change.ts'
import { closeDelivery } from './sandbox/deliver.ts'
import { linkTo } from './sandbox/links.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

/**
 * Payments without any account: pages of ours in place of the provider's, and a life of subscriptions that is told through
 * the same signed events, posted to the same address.
 */
export function sandboxPayments(app: () => App): PaymentsProvider {
  return {
    name: 'sandbox',
    async createCheckout({ teamId, plan }) {
      return { url: linkTo(app(), { page: 'checkout', id: app().newId(), teamId, plan }, 24 * hourMs) }
    },
    async createPortal({ teamId, returnUrl }) {
      return { url: linkTo(app(), { page: 'portal', teamId, returnUrl }, 30 * minuteMs) }
    },
    endSubscription: (id) => endSubscription(app(), id),
    reportUsage: (usage) => insertUsage(app(), usage),
    close: () => closeDelivery(app()),
  }
}

async function insertUsage(app: App, { teamId, messageId, eventName, at }: MeteredUsage): Promise<void> {
  await app.transaction((tx) =>
    tx.db
      .insertInto('sandbox_usage')
      .values({ team_id: teamId, message_id: messageId, event_name: eventName, used_at: at })
      .onConflict((conflict) => conflict.columns(['team_id', 'message_id']).doNothing())
      .execute(),
  )
}
