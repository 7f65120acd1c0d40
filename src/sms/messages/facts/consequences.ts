import type { SmsFact } from '../../provider.ts'
import { rankOf, type SmsStatus } from '../statuses.ts'

export type FactOfSms = { teamId: string; messageId: string; fact: SmsFact }

type Price = { amount: string; currency: string; at: Date }

/** The change that the facts of a message make in it. */
type Move = {
  teamId: string
  messageId: string
  providerMessageId: string
  status: SmsStatus
  /** The kinds of the facts as bits, by which the first of each kind is counted. */
  seen: number
  /** The time the message was sent, if the facts contain it. */
  sentAt: Date | null
  price: Price | null
}

/** How a hand-over ended. `event` is null if the provider accepted the message. */
export type Outcome = {
  teamId: string
  messageId: string
  isBilled: boolean
  event: { type: 'failed' | 'outcome_unknown'; data: Record<string, unknown> } | null
  providerMessageId: string | null
}

/** The move of a message, and how its hand-over ended. `isBilled` is null if only facts are recorded. */
export type Change = Omit<Move, 'providerMessageId'> &
  Pick<Outcome, 'providerMessageId'> & { isBilled: boolean | null; isFailed: boolean }

/** The move of a message without facts. It changes nothing, since no status comes before `accepted`. */
const unmoved = { status: 'accepted', seen: 0, sentAt: null, price: null } as const
const failed = { ...unmoved, status: 'failed', seen: seenBitsOf('failed') } as const

/** Merges outcomes and facts into one change for each message. Only a message that the provider accepted has both. */
export function changesOf(outcomes: Outcome[], facts: FactOfSms[]): Change[] {
  const changes = new Map<string, Change>()
  for (const move of consequencesOf(facts)) changes.set(move.messageId, { ...move, isBilled: null, isFailed: false })
  for (const { event, ...outcome } of outcomes) {
    const isFailed = event?.type === 'failed'
    const move = changes.get(outcome.messageId) ?? (isFailed ? failed : unmoved)
    changes.set(outcome.messageId, { ...move, ...outcome, isFailed })
  }
  return [...changes.values()]
}

/** Merges the facts into one change for each message: of two rows, an update would apply an arbitrary one. */
function consequencesOf(facts: FactOfSms[]): Move[] {
  const merged = new Map<string, Move>()
  for (const { teamId, messageId, fact } of facts) {
    const { providerMessageId, type, at } = fact
    const before = merged.get(messageId)
    merged.set(messageId, {
      teamId,
      messageId,
      providerMessageId,
      status: furthest(type, before?.status ?? 'accepted'),
      seen: seenBitsOf(type) | (before?.seen ?? 0),
      sentAt: earlier(hasLeft(type) ? at : null, before?.sentAt ?? null),
      price: later(priceOf(fact), before?.price ?? null),
    })
  }
  return [...merged.values()]
}

function furthest(one: SmsStatus, other: SmsStatus): SmsStatus {
  return rankOf(one) > rankOf(other) ? one : other
}

/** Tells whether the fact shows that the provider sent the message to a carrier. */
export function hasLeft(type: SmsStatus): boolean {
  return type === 'sent' || type === 'delivered' || type === 'undelivered'
}

/** Returns the bits of a fact in `seen`. Migration 0047 reads them. */
function seenBitsOf(type: SmsStatus): number {
  const own = { accepted: 0, queued: 0, sent: 0, delivered: 2, undelivered: 4, failed: 8 }[type]
  return own | (hasLeft(type) ? 1 : 0)
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one < other ? one : other
}

/**
 * Returns the price of a fact. Ignores an amount that is not a number, so that the rest of the fact is still recorded.
 */
function priceOf({ carrierPrice, at }: SmsFact): Price | null {
  return carrierPrice && /^\d{1,9}(\.\d{1,12})?$/.test(carrierPrice.amount) ? { ...carrierPrice, at } : null
}

/** Returns the later price, or the higher one if both have the same time. */
function later(one: Price | null, other: Price | null): Price | null {
  if (!one || !other) return one ?? other
  const difference = one.at.getTime() - other.at.getTime() || Number(one.amount) - Number(other.amount)
  return difference > 0 ? one : other
}

/** The place of a fact among those that one call records: by message, then in the order in which they happened. */
export function orderOf({ messageId, fact }: FactOfSms): string {
  return `${messageId} ${fact.at.toISOString()} ${rankOf(fact.type)} ${fact.factId}`
}

/** Returns the data of the event, which show the price if the fact has one. */
export function dataOf(fact: SmsFact): Record<string, unknown> | null {
  return priceOf(fact) ? { ...fact.data, carrierPrice: fact.carrierPrice } : fact.data
}
