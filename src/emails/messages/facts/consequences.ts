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

/** The bit of each kind of fact in `seen`, by which the first of each kind is counted. Migration 0047 reads them. */
const bits = {
  sent: 1,
  delivered: 2,
  delivery_delayed: 4,
  bounced: 8,
  softBounced: 16,
  complained: 32,
  unsubscribed: 64,
} as const

/** The part of an email's figures that a set of facts adds to. */
export type Seen = { seen: number; opens: number; clicks: number }

/** Returns what facts add to the figures of their email. Openings and clicks of machines add nothing. */
export function seenOf(facts: EmailFact[]): Seen {
  const hits = facts.filter(({ data }) => (data as { bot?: unknown } | null)?.bot !== true)
  return {
    seen: facts.reduce((seen, fact) => seen | bitsOf(fact), 0),
    opens: hits.filter(({ type }) => type === 'opened').length,
    clicks: hits.filter(({ type }) => type === 'clicked').length,
  }
}

/** The bit in `seen` of an email whose `sent` is recorded. */
export const sentBit = bits.sent

/** The bit in `seen` of an email whose recipient unsubscribed. */
export const unsubscribedBit = bits.unsubscribed

function bitsOf(fact: EmailFact): number {
  if (fact.type === 'bounced') return fact.permanent ? bits.bounced : bits.softBounced
  // A recipient who complains has received the email.
  if (fact.type === 'complained') return bits.complained | bits.delivered
  if (fact.type === 'sent' || fact.type === 'delivered' || fact.type === 'delivery_delayed') return bits[fact.type]
  return 0
}
