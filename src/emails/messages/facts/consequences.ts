import type { DeliveryFact } from '../../provider.ts'
import type { EmailStatus } from '../statuses.ts'

/** A fact about an email, reported by a provider, a receiving server or a reader's action. */
export type EmailFact =
  | DeliveryFact
  | {
      type: 'sent' | 'outcome_unknown' | 'opened' | 'clicked'
      recipient: null
      permanent?: undefined
      suppress?: undefined
      moves?: undefined
      data: Record<string, unknown> | null
    }

/**
 * The status that a fact moves its email to, and the reason for suppressing its recipient. Each is null if there is
 * none.
 */
type Consequence = { status: EmailStatus | null; suppress: 'bounce' | 'complaint' | null }

/** Returns the consequence of a fact. Publishing is the same for all facts except `outcome_unknown`. */
export function consequenceOf(fact: EmailFact): Consequence {
  const suppress = fact.suppress !== false
  if (fact.type === 'sent') return { status: 'sent', suppress: null }
  if (fact.type === 'delivered') return { status: 'delivered', suppress: null }
  if (fact.type === 'delivery_delayed') return { status: fact.moves === false ? null : 'delayed', suppress: null }
  if (fact.type === 'complained') return { status: 'complained', suppress: suppress ? 'complaint' : null }
  if (fact.type === 'bounced' && fact.permanent) return { status: 'bounced', suppress: suppress ? 'bounce' : null }
  return { status: null, suppress: null }
}
