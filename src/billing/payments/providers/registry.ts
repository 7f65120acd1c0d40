import { createProvider } from '../../../platform/provider.ts'
import type { PaymentsProvider, PaymentsProviderModule, PaymentsProviderParts } from '../provider.ts'
import { none } from './none.ts'
import { sandbox } from './sandbox.ts'
import { stripe } from './stripe.ts'

/** The choices of `PAYMENTS_PROVIDER`. */
export const paymentsProviders: PaymentsProviderModule[] = [sandbox, stripe, none]

export function createPaymentsProvider(parts: PaymentsProviderParts): PaymentsProvider {
  return createProvider(paymentsProviders, parts.config.paymentsProvider, parts)
}
