import type { PaymentsProviderModule } from '../provider.ts'
import { none } from './none.ts'
import { sandbox } from './sandbox.ts'
import { stripe } from './stripe.ts'

/** The choices of `PAYMENTS_PROVIDER`. */
export const paymentsProviders: PaymentsProviderModule[] = [sandbox, stripe, none]
