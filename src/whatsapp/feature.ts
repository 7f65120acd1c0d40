import type { Feature } from '../platform/feature.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { inboundRoutes } from './inbound/routes.ts'
import { forgetMarketingChoices } from './marketing/choices.ts'
import { deliverWhatsapp } from './messages/dispatch/deliver.ts'
import { messageRoutes } from './messages/routes.ts'
import { whatsappProviders } from './providers/registry.ts'
import { whatsappRemovals } from './removals.ts'
import { senderRoutes } from './senders/routes.ts'
import { finishWhatsappVerification } from './senders/verify.ts'
import { templateRoutes } from './templates/routes.ts'
import { finishSubmission } from './templates/submit.ts'
import { whatsappTraces } from './traces.ts'

const ownRoutes = [messageRoutes, conversationRoutes, senderRoutes, templateRoutes, inboundRoutes].flat()

export const whatsapp: Feature = {
  name: 'whatsapp',
  routes: [...ownRoutes, ...whatsappProviders.flatMap((provider) => provider.routes)],
  jobs: [deliverWhatsapp, finishWhatsappVerification, finishSubmission],
  traces: whatsappTraces,
  blocks: { number: forgetMarketingChoices },
  removals: whatsappRemovals,
}
