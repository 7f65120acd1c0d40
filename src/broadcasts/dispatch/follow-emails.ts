import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { Event } from '../../events.ts'
import { defineSubscription } from '../../platform/events.ts'
import { hurryJobsByKey } from '../../platform/jobs/waiting-jobs.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { dispatchBroadcastJob } from '../jobs.ts'
import { isUnderWay } from '../queries.ts'
import { underWayMax } from './dispatch.ts'
import { countUnderWay, recordSkipped } from './recipients.ts'

/** Records the fate of a broadcast's emails with its recipients, in one statement for any number of events. */
export const followEmails = defineSubscription({
  types: ['email.sent', 'email.delivered', 'email.bounced', 'email.complained', 'email.opened', 'email.clicked'],
  async listen(tx, events) {
    const marks = marksOf(events)
    if (marks.length === 0) return
    for (const { broadcastId, count, underWay } of await markRecipients(tx, marks)) {
      wakeDispatch(tx, broadcastId, count, underWay)
    }
  },
})

type Mark = {
  teamId: string
  emailId: string
  settled: boolean
  delivered: boolean
  opened: boolean
  clicked: boolean
  bounced: boolean
  complained: boolean
}

/**
 * Records emails as skipped that ended unsent: the recipient may not get it any more, it was cancelled or erased, or
 * sending it failed.
 */
export const followUnsent = defineSubscription({
  types: ['email.ended_unsent'],
  async listen(tx, events) {
    for (const outcome of ['unsubscribed', 'suppressed', 'not_opted_in', 'failed', 'cancelled', 'gone'] as const) {
      const its = events.filter(({ data }) => data.reason === outcome)
      const emails = its.map(({ teamId, data }) => ({ teamId, emailId: data.emailId }))
      for (const { teamId, broadcastId, count } of await recordSkipped(tx, emails, outcome)) {
        wakeDispatch(tx, broadcastId, count, count + (await countUnderWay(tx.db, teamId, broadcastId)))
      }
    }
  },
})

/** Merges events into one mark for each email, because an update takes an arbitrary one of two matching rows. */
function marksOf(events: Marking[]): Mark[] {
  const found = new Map<string, Mark>()
  for (const event of events) {
    const { teamId, data } = event
    const { emailId } = data
    const what = whatToMark(event)
    if (!what) continue
    const known = found.get(emailId) ?? { ...nothing, teamId, emailId }
    // An opening does not settle an email: the record of its hand-over may still follow.
    const settles = what !== 'opened' && what !== 'clicked'
    found.set(emailId, { ...known, [what]: true, settled: known.settled || settles })
  }
  return [...found.values()]
}

const nothing = {
  settled: false,
  delivered: false,
  opened: false,
  clicked: false,
  bounced: false,
  complained: false,
}

/** The column that each of the other events sets. */
const marks = {
  'email.delivered': 'delivered',
  'email.complained': 'complained',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
} as const

type Marking = Event<keyof typeof marks | 'email.sent' | 'email.bounced'>

/**
 * Opens and clicks by machines do not count. A bounce that is not permanent only settles the email: a delivery may
 * still follow, and if the hand-over ended with the bounce, no other event does.
 */
function whatToMark({ type, data: { details, permanent } }: Marking): keyof typeof nothing | null {
  if (type === 'email.sent') return 'settled'
  if (type === 'email.bounced') return permanent ? 'bounced' : 'settled'
  return details?.bot === true ? null : marks[type]
}

const markColumns = {
  teamId: 'uuid',
  emailId: 'uuid',
  settled: 'bool',
  delivered: 'bool',
  opened: 'bool',
  clicked: 'bool',
  bounced: 'bool',
  complained: 'bool',
} as const

type Settled = {
  broadcastId: string
  /** The emails that these marks settled. */
  count: number
  /** The emails that were under way before, or as many as it takes to know that more than `refillAt` are left. */
  underWay: number
}

/**
 * Counts the emails of a marked broadcast that were under way before the marks. These settle at most `marks` of them,
 * so one more than that and `refillAt` shows that more than `refillAt` are left.
 */
const countUnderWayBefore = (marks: number) => sql`(
  select count(*)::int from (
    select from broadcast_recipients as other
    where other.team_id = marked.team_id and other.broadcast_id = marked.broadcast_id and ${isUnderWay}
    limit ${refillAt + marks + 1}
  ) as counted
)`

/** Returns the broadcasts some of whose emails were settled. */
function markRecipients(tx: Tx, marks: Mark[]) {
  return tx.send(sql<Settled>`
    with found as (
      select recipient.team_id, broadcast_id, contact_id, recipient.settled as was_settled,
        new.settled, new.delivered, new.opened, new.clicked, new.bounced, new.complained
      from ${rowsOf(marks, markColumns).as('new')}
      join broadcast_recipients as recipient on recipient.team_id = new.team_id and recipient.email_id = new.email_id
      order by recipient.email_id for update of recipient
    ), marked as (
      update broadcast_recipients as recipient set
        -- It failed, and the operator let it be sent again.
        outcome = case when recipient.outcome = 'failed' and found.settled then 'sent' else recipient.outcome end,
        settled = recipient.settled or found.settled, delivered = recipient.delivered or found.delivered,
        opened = recipient.opened or found.opened, clicked = recipient.clicked or found.clicked,
        bounced = recipient.bounced or found.bounced, complained = recipient.complained or found.complained
      from found
      where recipient.team_id = found.team_id and recipient.broadcast_id = found.broadcast_id
        and recipient.contact_id = found.contact_id
      returning recipient.team_id, recipient.broadcast_id, found.settled and not found.was_settled as is_fresh
    )
    -- This part of the statement sees the recipients as they were before it.
    select broadcast_id as "broadcastId", count(*)::int as count, ${countUnderWayBefore(marks.length)} as "underWay"
    from marked where is_fresh group by team_id, broadcast_id
  `)
}

/** The dispatch goes on when this many of its emails are left. */
const refillAt = underWayMax / 2

/** Wakes the job when the last email under way is settled, and when `refillAt` are left. */
function wakeDispatch(tx: Tx, broadcastId: string, settled: number, underWay: number): void {
  const left = underWay - settled
  const makesRoom = left <= refillAt && underWay > refillAt
  if (left <= 0 || makesRoom) tx.withCommit(hurryJobsByKey(tx, dispatchBroadcastJob, [broadcastId]))
}
