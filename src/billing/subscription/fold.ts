import { monthAt } from '../credit/month.ts'
import type { PaidPlan } from '../payments/provider.ts'

/** In Unix seconds, as the provider gives them. */
export type Period = { start: number; end: number }

/** The content of one event about a subscription; null where the event does not say. */
export type SubscriptionFact = {
  eventId: string
  /** `ordered`: checked out and not yet paid, for example by a bank transfer. */
  kind: 'ordered' | 'checkout' | 'updated' | 'paid' | 'deleted'
  /** The time at which it happened, in Unix seconds. */
  at: number
  customerId: string | null
  plan: PaidPlan | null
  status: string | null
  /** When the subscription began. For `ordered` the time of the checkout, which older events leave out. */
  startedAt: number | null
  /** For `paid`: the period that was paid for; null for an invoice that begins no period. */
  period: Period | null
  cancelAtPeriodEnd: boolean | null
}

/** The state of a subscription after all its events. */
export type SubscriptionState = {
  /** The time of the checkout, if it is known. */
  startedAt: number
  /** The time of a checkout that was not paid at once. Its payment does not make the subscription a later one. */
  orderedAt: number | null
  isCheckedOut: boolean
  /** True after the first payment. */
  begun: boolean
  /** Ordered and not yet paid: it grants nothing, whatever its status. */
  isUnpaid: boolean
  ended: boolean
  plan: PaidPlan | null
  status: string | null
  customerId: string | null
  period: Period | null
  /** True while no event has given the period. It is then assumed to begin with the checkout. */
  isPeriodAssumed: boolean
  cancelAtPeriodEnd: boolean
  /** The last period start at which the credit was refilled, and the plan in force at that time. */
  refill: { start: number; plan: PaidPlan | null } | null
}

/** Folds facts in any order into one state. `base` is the state of earlier facts that are not kept. */
export function foldFacts(base: SubscriptionState | null, facts: SubscriptionFact[]): SubscriptionState {
  return facts.toSorted(compareFacts).reduce(foldFact, base ?? initial)
}

/** The order of facts within one second: a plan changes before it is paid for. */
const rank = { ordered: 0, checkout: 1, updated: 2, paid: 3, deleted: 4 }

export function compareFacts(one: SubscriptionFact, other: SubscriptionFact): number {
  return one.at - other.at || rank[one.kind] - rank[other.kind] || (one.eventId < other.eventId ? -1 : 1)
}

const initial: SubscriptionState = {
  startedAt: Number.MAX_SAFE_INTEGER,
  orderedAt: null,
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
  // If a period was paid for before the plan was known, the first known plan refills its credit.
  return { ...after, refill: refill && { start: refill.start, plan: refill.plan ?? after.plan } }
}

type Fold = (state: SubscriptionState, fact: SubscriptionFact) => SubscriptionState

const foldKind: Record<SubscriptionFact['kind'], Fold> = {
  ordered(state, { plan, startedAt: orderedAt }) {
    return { ...state, plan: plan ?? state.plan, orderedAt, isUnpaid: !isPaid(state) }
  },
  checkout(state, { at, plan, period }) {
    const status = state.status !== null && isEntitling(state.status) ? state.status : 'active'
    const startedAt = state.isCheckedOut ? state.startedAt : (state.orderedAt ?? at)
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
      begun: state.begun || (status !== null && isEntitling(status)),
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

/** Tells whether a subscription can belong to a team: an account at the provider may also sell other things. */
export function doesCount({ begun, isUnpaid, plan }: SubscriptionState): boolean {
  return begun && !isUnpaid && plan !== null
}

/** True once a paid checkout or a paid period is known. No later event makes such a subscription unpaid. */
export function isPaid({ isCheckedOut, refill }: SubscriptionState): boolean {
  return isCheckedOut || refill !== null
}

/**
 * Tells whether a subscription that has begun entitles to its plan now. While a payment is late the provider retries it
 * (`past_due`); what it gives up or pauses entitles to nothing until it is paid or resumed.
 */
export function isInForce({ status }: SubscriptionState): boolean {
  return status === null || isEntitling(status)
}

function isEntitling(status: string): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

function isOver(status: string | null): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Sets the period. Periods only move forward, but a period from an event always replaces an assumed one. */
function withPeriod(state: SubscriptionState, period: Period | null): SubscriptionState {
  const isOlder =
    state.period !== null && !state.isPeriodAssumed && period !== null && period.start < state.period.start
  return period === null || isOlder ? state : { ...state, period, isPeriodAssumed: false }
}

/** Records a refill, once for each period start: the invoice of the first period arrives together with the checkout. */
function withRefill(state: SubscriptionState, start: number): SubscriptionState {
  return state.refill && state.refill.start >= start ? state : { ...state, refill: { start, plan: state.plan } }
}

/** Returns the month that begins at `start`, for a period whose end no event gives. */
export function monthFrom(start: number): Period {
  const at = new Date(start * 1000)
  return { start, end: monthAt(at, at).end.getTime() / 1000 }
}
