import type { DeliveryFact } from '../../provider.ts'
import { type EmailStatus, rankOf } from '../statuses.ts'

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

type Tags = Record<string, unknown> | null
export type EventFields = { tags: Tags; system: boolean }

/** Facts of one email that are recorded together. */
export type FactsOfEmail = {
  teamId: string
  emailId: string
  facts: EmailFact[]
  /** `insertEvents` reads them if they are left out. */
  fields?: EventFields
  /**
   * The hand-over has ended, well or not, so the email can be cancelled or deleted again. With `direct` the recipients
   * of a broadcast count as settled before that, once their domains have the email to deliver.
   */
  settled?: boolean
  /** It waited here for hosts, and waits no longer: if it still reads `delayed`, its outcome stays unknown. */
  endsWaiting?: boolean
  /** The provider's id of the event. A second event with the same id is not recorded. */
  providerEventId?: string
  /**
   * Decides whether the email counts as sent because of the report:
   *
   * | value | the report | the email |
   * | --- | --- | --- |
   * | true | the provider has the message for all recipients | counts as sent, and is not handed over again |
   * | false | is about some recipients | does not count as sent for this report |
   * | left out | has a provider's id and moves the status | counts as sent; may be handed over again after a lost answer |
   */
  isTaken?: boolean
  /** The facts are recorded and not published. */
  isSilent?: boolean
}

/** The change to an email that its facts cause. */
type Move = Seen & {
  teamId: string
  emailId: string
  status: EmailStatus
  sent: boolean
  /** Reported by the provider or the receiving side, so it was handed over even if that is not recorded yet. */
  reported: boolean
  /** Reported by a provider that has the message for all recipients, so it is not handed over again. */
  taken: boolean
  settled: boolean
  endsWaiting: boolean
}

/** Merges the facts into one change for each email: of two rows, an update would apply an arbitrary one. */
export function consequencesOf(given: FactsOfEmail[]): Move[] {
  const merged = new Map<string, Move>()
  for (const move of given.flatMap(moveOf)) {
    const before = merged.get(move.emailId)
    merged.set(move.emailId, {
      ...move,
      status: furthest(move.status, before?.status ?? 'scheduled'),
      sent: move.sent || (before?.sent ?? false),
      reported: move.reported || (before?.reported ?? false),
      taken: move.taken || (before?.taken ?? false),
      settled: move.settled || (before?.settled ?? false),
      endsWaiting: move.endsWaiting || (before?.endsWaiting ?? false),
      seen: move.seen | (before?.seen ?? 0),
      opens: move.opens + (before?.opens ?? 0),
      clicks: move.clicks + (before?.clicks ?? 0),
    })
  }
  return [...merged.values()]
}

function moveOf(given: FactsOfEmail): Move[] {
  const { teamId, emailId, facts, settled = false, endsWaiting = false, providerEventId, isTaken } = given
  const statuses = facts.flatMap((fact) => consequenceOf(fact).status ?? [])
  const seen = seenOf(facts)
  if (statuses.length === 0 && !settled && !isTaken && seen.seen + seen.opens + seen.clicks === 0) return []
  const sent = facts.some((fact) => fact.type === 'sent')
  const reported = isTaken ?? (statuses.length > 0 && providerEventId !== undefined)
  const status = statuses.reduce(furthest, 'scheduled')
  return [{ teamId, emailId, status, sent, reported, taken: isTaken === true, settled, endsWaiting, ...seen }]
}

function furthest(one: EmailStatus, other: EmailStatus): EmailStatus {
  return rankOf(one) > rankOf(other) ? one : other
}

/** Returns the addresses that the facts suppress. */
export function suppressionsOf({ teamId, facts }: FactsOfEmail) {
  return facts.flatMap((fact) => {
    const reason = consequenceOf(fact).suppress
    return reason && fact.recipient !== null ? [{ teamId, email: fact.recipient, reason }] : []
  })
}

/**
 * The status that a fact moves its email to, and the reason for suppressing its recipient. Each is null if there is
 * none.
 */
type Consequence = { status: EmailStatus | null; suppress: 'bounce' | 'complaint' | null }

function consequenceOf(fact: EmailFact): Consequence {
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
type Seen = { seen: number; opens: number; clicks: number }

/** Returns what facts add to the figures of their email. Openings and clicks of machines add nothing. */
function seenOf(facts: EmailFact[]): Seen {
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
