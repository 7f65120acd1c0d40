import { conflict } from '../../../platform/errors.ts'
import type { PaymentsProvider } from '../provider.ts'

/** Billing is switched off: nothing can be bought, and operators set the plans. */
export function noPayments(): PaymentsProvider {
  return {
    name: 'none',
    createCheckout: refuseWithoutBilling,
    createPortal: refuseWithoutBilling,
    async endSubscription() {},
    async reportUsage() {},
    async close() {},
  }
}

/** Throws `conflict`. */
export async function refuseWithoutBilling(): Promise<never> {
  throw conflict('Billing is switched off here. The operator sets the plan of a team: posthorn team set-plan.')
}
