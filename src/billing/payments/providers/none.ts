import { conflict } from '../../../platform/errors.ts'
import { definePaymentsProvider, type PaymentsProvider } from '../provider.ts'

export const none = definePaymentsProvider({
  name: 'none',
  about: 'Switches billing off: operators set the plans.',
  settings: {},
  routes: [],
  create: () => noneProvider(),
})

function noneProvider(): PaymentsProvider {
  return {
    name: 'none',
    createCheckout: refuseWithoutBilling,
    createPortal: refuseWithoutBilling,
    isSubscriptionPaid: async () => false,
    async endSubscription() {},
    async reportUsage() {},
    async close() {},
  }
}

/** Throws `conflict`, because billing is switched off. */
export async function refuseWithoutBilling(): Promise<never> {
  throw conflict('Billing is switched off. The operator sets the plan of a team: posthorn team set-plan.')
}
