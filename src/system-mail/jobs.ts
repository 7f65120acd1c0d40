import type { SecurityChange } from '../events.ts'
import { systemJob } from '../platform/jobs/job.ts'
import type { LimitName } from './limits/limit.ts'

/** A system mail to be sent. It never holds a token: that is made as the mail is. */
export type Order =
  | { about: 'reset'; userId: string }
  | { about: 'verification'; userId: string; isResend?: boolean }
  | { about: 'sign-in'; userId: string; address: string; userAgent: string | null; at: string }
  | { about: 'security'; userId: string; change: SecurityChange; address: string | null; at: string }
  | { about: 'invitation'; teamId: string; invitationId: string }
  | { about: 'webhook' | 'webhook-failing'; teamId: string; webhookId: string }
  | { about: 'limit'; teamId: string; limit: LimitName; percent: number }

/** Sends one system mail, or one to each owner and admin of a team. Its key keeps equal orders that wait to one. */
export const sendSystemMailJob = systemJob<Order>('system-mail.send')
