import type { Feature } from '../platform/feature.ts'
import { resendWords } from './errors.ts'
import { removeLeftExtras } from './extras.ts'
import { resendRoutes } from './routes.ts'

export const resend: Feature = {
  name: 'resend',
  dialect: { ...resendWords, routes: resendRoutes },
  schedules: [removeLeftExtras],
}
