import type { Feature } from '../platform/feature.ts'
import { watchLimits } from './limits/watch.ts'
import { orderSystemMail } from './order.ts'
import { systemMailRemovals } from './removals.ts'
import { sendSystemMail, sendSystemMailLater } from './send.ts'

export const systemMail: Feature = {
  name: 'system-mail',
  jobs: [sendSystemMail, sendSystemMailLater],
  subscriptions: [orderSystemMail],
  schedules: [watchLimits],
  removals: systemMailRemovals,
}
