import type { Feature } from '../platform/feature.ts'
import { cleanUpSystemMail } from './count.ts'
import { watchLimits } from './limits/watch.ts'
import { sendSystemMail } from './send.ts'
import { orderSystemMail } from './subscribe.ts'

export const systemMail: Feature = {
  name: 'system-mail',
  jobs: [sendSystemMail],
  subscriptions: [orderSystemMail],
  schedules: [cleanUpSystemMail, watchLimits],
}
