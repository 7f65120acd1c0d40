import type { Feature } from '../platform/feature.ts'
import { deliverSms } from './messages/dispatch/deliver.ts'
import { findSmsPrice } from './messages/facts/find-price.ts'
import { addErasedOptOut } from './opt-outs/add-erased.ts'
import { optOutRoutes } from './opt-outs/routes.ts'
import { smsProviders } from './providers/registry.ts'
import { smsRemovals } from './removals.ts'
import { smsRoutes } from './routes.ts'
import { senderRoutes } from './senders/routes.ts'
import { finishSmsVerification } from './senders/verify.ts'
import { smsTraces } from './traces.ts'

export const sms: Feature = {
  name: 'sms',
  routes: [...smsRoutes, ...senderRoutes, ...optOutRoutes, ...smsProviders.flatMap((provider) => provider.routes)],
  jobs: [deliverSms, findSmsPrice, finishSmsVerification],
  traces: smsTraces,
  blocks: { number: addErasedOptOut },
  removals: smsRemovals,
}
