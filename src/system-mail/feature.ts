import type { Feature } from '../platform/feature.ts'
import { cleanUpSystemMail } from './count.ts'
import { watchLimits } from './limits/watch.ts'
import { orderSystemMail } from './order.ts'
import { sendSystemMail, sendSystemMailLater } from './send.ts'

export const systemMail: Feature = {
  name: 'system-mail',
  jobs: [sendSystemMail, sendSystemMailLater],
  subscriptions: [orderSystemMail],
  schedules: [cleanUpSystemMail, watchLimits],
}
