import type { Feature } from '../platform/feature.ts'
import { inboxRoutes } from './routes.ts'
import { inboxSmsRoutes } from './sms/routes.ts'
import { inboxWhatsappRoutes } from './whatsapp/routes.ts'

export const inbox: Feature = { name: 'inbox', routes: [...inboxRoutes, ...inboxSmsRoutes, ...inboxWhatsappRoutes] }
