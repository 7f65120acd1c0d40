import { monthAt } from '../credit/month.ts'
import type { PaidPlan } from '../payments/provider.ts'

/** In Unix seconds, as the provider has them. */
export type Period = { start: number; end: number }

/** What one event says of a subscription; null where it says nothing. */
export type SubscriptionFact = {
  eventId: string
  /** `ordered`: checked out, and yet to be paid, by a bank transfer say. */
  kind: 'ordered' | 'checkout' | 'updated' | 'paid' | 'deleted'
  /** When it happened, whenever it arrives. Unix seconds. */
  at: number
  customerId: string | null
  plan: PaidPlan | null
  status: string | null
  /** When the subscription began. */
  startedAt: number | null
  /** Of `paid`: the period that was paid for; null for an invoice that begins none. */
  period: Period | null
  cancelAtPeriodEnd: boolean | null
}

/** What all the events of a subscription say together. */
export type SubscriptionState = {
  /** With the checkout, where that is known. */
  startedAt: number
  isCheckedOut: boolean
  /** It has been paid for once. */
  begun: boolean
  /** It was ordered, and no payment has come yet: whatever its status is, it grants nothing. */
  isUnpaid: boolean
  ended: boolean
  plan: PaidPlan | null
  status: string | null
  customerId: string | null
  period: Period | null
  /** Nothing told the period yet: it is taken to have begun with the checkout. */
  isPeriodAssumed: boolean
  cancelAtPeriodEnd: boolean
  /** The last period start at which the credit was refilled, and the plan in force then. */
  refill: { start: number; plan: PaidPlan | null } | null
}

/** What the facts say, in whatever order they came; `base`: what earlier ones said that are kept no more. */
export function foldFacts(base: SubscriptionState | null, facts: SubscriptionFact[]): SubscriptionState {
  return facts.toSorted(compareFacts).reduce(foldFact, base ?? initial)
}

/** Within a second, in the order in which a month turns: a plan changes, then it is paid for. */
const rank = { ordered: 0, checkout: 1, updated: 2, paid: 3, deleted: 4 }

export function compareFacts(one: SubscriptionFact, other: SubscriptionFact): number {
  return one.at - other.at || rank[one.kind] - rank[other.kind] || (one.eventId < other.eventId ? -1 : 1)
}

const initial: SubscriptionState = {
  startedAt: Number.MAX_SAFE_INTEGER,
  isCheckedOut: false,
  begun: false,
  isUnpaid: false,
  ended: false,
  plan: null,
  status: null,
  customerId: null,
  period: null,
  isPeriodAssumed: false,
  cancelAtPeriodEnd: false,
  refill: null,
}

function foldFact(before: SubscriptionState, fact: SubscriptionFact): SubscriptionState {
  const known = {
    ...before,
    startedAt: before.isCheckedOut ? before.startedAt : Math.min(before.startedAt, fact.startedAt ?? fact.at),
    customerId: fact.customerId ?? before.customerId,
    cancelAtPeriodEnd: fact.cancelAtPeriodEnd ?? before.cancelAtPeriodEnd,
  }
  const { refill, ...after } = foldKind[fact.kind](known, fact)
  // A period paid for before anything told the plan is refilled by the first plan that is told.
  return { ...after, refill: refill && { start: refill.start, plan: refill.plan ?? after.plan } }
}

type Fold = (state: SubscriptionState, fact: SubscriptionFact) => SubscriptionState

const foldKind: Record<SubscriptionFact['kind'], Fold> = {
  ordered(state, { plan }) {
    const isPaid = state.isCheckedOut || state.refill !== null
    return { ...state, plan: plan ?? state.plan, isUnpaid: !isPaid }
  },
  checkout(state, { at, plan, period }) {
    const status = isPaidFor(state.status) ? state.status : 'active'
    const startedAt = state.isCheckedOut ? state.startedAt : at
    const known = {
      ...state,
      begun: true,
      isUnpaid: false,
      isCheckedOut: true,
      startedAt,
      status,
      plan: plan ?? state.plan,
    }
    const during = withPeriod(known, period)
    const holds = during.period !== null && during.period.start <= at && at < during.period.end
    const start = holds ? during.period!.start : at
    const assumed = during.period ? {} : { period: monthFrom(at), isPeriodAssumed: true }
    return withRefill({ ...during, ...assumed }, start)
  },
  updated(state, { plan, status, period }) {
    const known = {
      ...state,
      plan: plan ?? state.plan,
      status: status ?? state.status,
      begun: state.begun || isPaidFor(status),
      ended: state.ended || isOver(status),
    }
    return withPeriod(known, period)
  },
  paid(state, { plan, period }) {
    if (!period) return state
    return withRefill(
      withPeriod({ ...state, begun: true, isUnpaid: false, plan: state.plan ?? plan }, period),
      period.start,
    )
  },
  deleted(state, { plan, status }) {
    const wasNever = status === 'incomplete_expired' && !state.begun
    return { ...state, plan: state.plan ?? plan, begun: !wasNever, ended: true, status }
  },
}

/** Whether it may be a team's: an account at the provider may sell other things than plans too. */
export function doesCount({ begun, isUnpaid, plan }: SubscriptionState): boolean {
  return begun && !isUnpaid && plan !== null
}

/** Whatever the first payment has been made for: one that fails later is repeated by the provider, and ends in a deletion. */
function isPaidFor(status: string | null): boolean {
  return status !== null && !isOver(status) && status !== 'incomplete'
}

function isOver(status: string | null): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Periods only move forward; one that was assumed gives way to any that is told. */
function withPeriod(state: SubscriptionState, period: Period | null): SubscriptionState {
  const isOlder =
    state.period !== null && !state.isPeriodAssumed && period !== null && period.start < state.period.start
  return period === null || isOlder ? state : { ...state, period, isPeriodAssumed: false }
}

/** A start refills once: the provider's invoice of the first period comes with the checkout. */
function withRefill(state: SubscriptionState, start: number): SubscriptionState {
  return state.refill && state.refill.start >= start ? state : { ...state, refill: { start, plan: state.plan } }
}

/** The month from then on, for where nothing tells the end. */
export function monthFrom(start: number): Period {
  const at = new Date(start * 1000)
  return { start, end: monthAt(at, at).end.getTime() / 1000 }
}
