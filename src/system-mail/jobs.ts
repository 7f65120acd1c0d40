import type { SecurityChange } from '../events.ts'
import { systemJob } from '../platform/jobs/job.ts'
import type { LimitName } from './limits/limit.ts'

/** A system mail to be sent. It never holds a token: that is made as the mail is. */
export type Order =
  | { about: 'reset'; userId: string }
  | { about: 'verification'; userId: string; isResend?: boolean }
  | { about: 'sign-in'; userId: string; address: string; userAgent: string | null; at: string }
  | { about: 'security'; userId: string; change: SecurityChange; address: string | null; at: string }
  | { about: 'new-address'; userId: string; email: string; address: string | null; state: string; at: string }
  | { about: 'former-address'; formerEmail: string; address: string | null; at: string }
  | { about: 'account-deleted'; email: string; at: string }
  | { about: 'new-owner'; teamId: string; newOwnerId: string; at: string }
  | { about: 'invitation'; teamId: string; invitationId: string }
  | { about: 'webhook' | 'webhook-failing'; teamId: string; webhookId: string }
  | { about: 'limit'; teamId: string; limit: LimitName; percent: number }

/**
 * Sends a mail that a person waits for: a reset, or a proof of an address. Its key keeps equal orders that wait to one.
 * Run by `system-mail/send.ts`.
 */
export const sendSystemMailJob = systemJob<Order>('system-mail.send')

/**
 * Sends any other system mail, or one to each owner and admin of a team, when there is room for it. Run by
 * `system-mail/send.ts`.
 */
export const sendSystemMailLaterJob = systemJob<Order>('system-mail.send-later')

export function isAwaited({ about }: Order): boolean {
  return about === 'reset' || about === 'verification' || about === 'new-address'
}
