import type { App } from '../../../context.ts'
import type { PaymentsProvider, ProviderName } from '../provider.ts'
import { noPayments } from './none.ts'
import { sandboxPayments } from './sandbox.ts'
import { stripePayments } from './stripe.ts'

const providers: Record<ProviderName, (app: () => App) => PaymentsProvider> = {
  sandbox: sandboxPayments,
  stripe: stripePayments,
  none: noPayments,
}

/** The configured one; `app` is asked for only when it is used. */
export function createPaymentsProvider(name: ProviderName, app: () => App): PaymentsProvider {
  return providers[name](app)
}
