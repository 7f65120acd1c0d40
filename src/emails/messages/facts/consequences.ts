import type { DeliveryFact } from '../../provider.ts'
import type { EmailStatus } from '../statuses.ts'

/** Something that a provider, a receiving server or a reader told about an email. */
export type EmailFact =
  | DeliveryFact
  | {
      type: 'sent' | 'outcome_unknown' | 'opened' | 'clicked'
      recipient: null
      permanent?: undefined
      suppress?: undefined
      data: Record<string, unknown> | null
    }

/** The status that a fact moves its email to, and the reason for which it suppresses its recipient. Null where it does neither. */
export type Consequence = { status: EmailStatus | null; suppress: 'bounce' | 'complaint' | null }

/** The one table of consequences. Publishing is the same for all facts but `outcome_unknown`. */
export function consequenceOf(fact: EmailFact): Consequence {
  const suppress = fact.suppress !== false
  if (fact.type === 'sent') return { status: 'sent', suppress: null }
  if (fact.type === 'delivered') return { status: 'delivered', suppress: null }
  if (fact.type === 'delivery_delayed') return { status: 'delayed', suppress: null }
  if (fact.type === 'complained') return { status: 'complained', suppress: suppress ? 'complaint' : null }
  if (fact.type === 'bounced' && fact.permanent) return { status: 'bounced', suppress: suppress ? 'bounce' : null }
  return { status: null, suppress: null }
}
