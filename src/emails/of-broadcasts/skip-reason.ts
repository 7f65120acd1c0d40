import { type RawBuilder, sql } from 'kysely'
import { isOptedIn } from '../../topics/opted-in-by-default.ts'

export type SkipReason = 'unsubscribed' | 'suppressed' | 'not_opted_in'

type Contact = {
  unsubscribed: RawBuilder<unknown>
  suppressed: RawBuilder<unknown>
  ownerIds: string[] | RawBuilder<unknown>
  /** Null without a topic. The contact's record of it is joined as `subscription`. */
  topicId: RawBuilder<unknown>
}

/**
 * The expression of why a contact gets no email of a broadcast; null if it gets one. The first reason counts. `decide`
 * in `broadcasts/dispatch/send-page.ts` says the same of contacts that it has read.
 */
export function skipReason({ unsubscribed, suppressed, ownerIds, topicId }: Contact): RawBuilder<SkipReason | null> {
  return sql`case
    when ${unsubscribed} then 'unsubscribed'
    when ${suppressed} then 'suppressed'
    when ${topicId} is not null and not ${isOptedIn(ownerIds, topicId)} then 'not_opted_in'
  end`
}
