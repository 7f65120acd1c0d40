import { type RawBuilder, sql } from 'kysely'

export type SkipReason = 'unsubscribed' | 'suppressed' | 'not_opted_in'

/**
 * The expression of why a contact gets no email of a broadcast; null if it gets one. The first reason counts. `decide`
 * in `broadcasts/dispatch/send-page.ts` says the same of contacts that it has read.
 */
export function skipReason(is: Record<SkipReason, RawBuilder<unknown>>): RawBuilder<SkipReason | null> {
  return sql`case when ${is.unsubscribed} then 'unsubscribed' when ${is.suppressed} then 'suppressed'
    when ${is.not_opted_in} then 'not_opted_in' end`
}
