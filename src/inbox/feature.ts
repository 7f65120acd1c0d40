import type { Feature } from '../platform/feature.ts'
import { keepReceivedSms, keepReceivedWhatsapp } from './keep-received.ts'
import { inboxRemovals } from './removals.ts'
import { inboxRoutes } from './routes.ts'
import { inboxSmsRoutes } from './sms/routes.ts'
import { inboxThreadRoutes } from './threads/routes.ts'
import { inboxTraces } from './traces.ts'
import { inboxWhatsappRoutes } from './whatsapp/routes.ts'

export const inbox: Feature = {
  name: 'inbox',
  routes: [...inboxRoutes, ...inboxSmsRoutes, ...inboxWhatsappRoutes, ...inboxThreadRoutes],
  subscriptions: [keepReceivedSms, keepReceivedWhatsapp],
  traces: inboxTraces,
  removals: inboxRemovals,
}
