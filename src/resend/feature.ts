import type { Feature } from '../platform/feature.ts'
import { byteListsAsBase64 } from './byte-lists.ts'
import { resendWords } from './errors.ts'
import { removeLeftExtras } from './extras.ts'
import { resendRoutes } from './routes.ts'

export const resend: Feature = {
  name: 'resend',
  dialect: { ...resendWords, rewriteBody: byteListsAsBase64, routes: resendRoutes },
  schedules: [removeLeftExtras],
}
