import * as kind from '../../../../platform/environment/parsers.ts'
import type { Settings } from '../../../../platform/environment/settings.ts'

export const stripeSettings = {
  secretKey: {
    variable: 'STRIPE_SECRET_KEY',
    kind: kind.secret,
    required: true,
    about: 'The secret key of the account.',
  },
  webhookSecret: {
    variable: 'STRIPE_WEBHOOK_SECRET',
    kind: kind.secret,
    required: true,
    unset: 'derived from `APP_SECRET`, shown in `DATA_DIR`; required with `stripe`',
    about: 'Signs what is posted to `/v1/webhooks/payments`.',
  },
  apiBase: {
    variable: 'STRIPE_API_BASE',
    kind: kind.webUrl,
    unset: "Stripe's",
    about: 'Another address of the same API.',
  },
} satisfies Settings
