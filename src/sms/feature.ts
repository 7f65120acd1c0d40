import type { Feature } from '../platform/feature.ts'
import { deliverSms } from './messages/dispatch/deliver.ts'
import { optOutRoutes } from './opt-outs/routes.ts'
import { awsSmsRoutes } from './providers/aws/routes.ts'
import { captureSmsRoutes } from './providers/capture/routes.ts'
import { twilioRoutes } from './providers/twilio/routes.ts'
import { smsRoutes } from './routes.ts'
import { senderRoutes } from './senders/routes.ts'

export const sms: Feature = {
  name: 'sms',
  routes: [...smsRoutes, ...senderRoutes, ...optOutRoutes, ...captureSmsRoutes, ...awsSmsRoutes, ...twilioRoutes],
  jobs: [deliverSms],
}
