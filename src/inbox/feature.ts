import type { Feature } from '../platform/feature.ts'
import { inboxRoutes } from './routes.ts'
import { keepReceivedSms } from './sms/keep-received.ts'
import { inboxSmsRoutes } from './sms/routes.ts'
import { inboxThreadRoutes } from './threads/routes.ts'
import { keepReceivedWhatsapp } from './whatsapp/keep-received.ts'
import { inboxWhatsappRoutes } from './whatsapp/routes.ts'

export const inbox: Feature = {
  name: 'inbox',
  routes: [...inboxRoutes, ...inboxSmsRoutes, ...inboxWhatsappRoutes, ...inboxThreadRoutes],
  subscriptions: [keepReceivedSms, keepReceivedWhatsapp],
}
