import type { App } from '../../../context.ts'
import { definePaymentsProvider, type PaymentsProvider } from '../provider.ts'
import { endSubscription } from './sandbox/change.ts'
import { closeDelivery, deliverSandboxEvent } from './sandbox/deliver.ts'
import { linkTo } from './sandbox/links.ts'
import { insertUsage } from './sandbox/queries.ts'
import { renewSandbox } from './sandbox/renew.ts'
import { sandboxRoutes } from './sandbox/routes.ts'

export const sandbox = definePaymentsProvider({
  name: 'sandbox',
  about: 'Plays a payment provider with pages of its own; nothing is charged.',
  settings: {},
  routes: sandboxRoutes,
  jobs: [deliverSandboxEvent],
  schedules: [renewSandbox],
  create: (_, { app }) => sandboxProvider(app),
})

const [minuteMs, hourMs] = [60_000, 3_600_000]

/**
 * Simulates payments without an account at a provider. Our own pages replace the provider's, and changes of
 * subscriptions are posted as signed events to the same endpoint.
 */
function sandboxProvider(app: () => App): PaymentsProvider {
  return {
    name: 'sandbox',
    async createCheckout({ teamId, plan }) {
      return { url: linkTo(app(), { page: 'checkout', id: app().newId(), teamId, plan }, 24 * hourMs) }
    },
    async createPortal({ teamId, returnUrl }) {
      return { url: linkTo(app(), { page: 'portal', teamId, returnUrl }, 30 * minuteMs) }
    },
    // A checkout of the sandbox is paid when it begins.
    isSubscriptionPaid: async () => true,
    endSubscription: (id) => endSubscription(app(), id),
    reportUsage: (usage) => insertUsage(app(), usage),
    close: () => closeDelivery(app()),
  }
}
