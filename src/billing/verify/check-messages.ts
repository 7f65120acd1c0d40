import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { nilId } from '../../platform/ids.ts'
import { dollars } from '../dollars.ts'
import { rateOfZone, type Zone } from '../rate-card.ts'
import type { Differ, VerifiedTeam } from './verified-team.ts'

const pageMax = 5000

type Message = {
  id: string
  zone: Zone
  priceUnits: string
  billable: boolean | null
  chargedDay: string
  paidFrom: 'debit' | 'overage' | null
  chargedUnits: string | null
  chargedZone: Zone | null
  reversed: boolean
  reported: boolean
}

/** The numbers of a team's messages, to compare with its counters and reports. */
type MessageCounts = {
  messages: number
  /** The number of messages on the day of the team's counters. */
  messagesOfDay: number
  spendUnitsOfDay: number
  /** A later day that messages count against. */
  laterDay: string | null
  /** The number of overage messages that are reported or due to be reported. */
  reports: number
}

/**
 * Checks a team's messages: each was charged once at the rate of its zone, except those that were refused. Begins after
 * those that may have been removed.
 */
export async function checkMessages(
  db: Db,
  { teamId, day }: VerifiedTeam,
  removedThrough: string | null,
  differ: Differ,
): Promise<MessageCounts> {
  const counts: MessageCounts = { messages: 0, messagesOfDay: 0, spendUnitsOfDay: 0, laterDay: null, reports: 0 }
  for (let after = removedThrough ?? nilId; ; ) {
    const messages = await findMessages(db, teamId, after)
    for (const message of messages) {
      for (const fault of faultsOf(message)) differ(`message ${message.id} ${fault}`)
      count(counts, message, day)
    }
    if (messages.length < pageMax) return counts
    after = messages.at(-1)!.id
  }
}

function faultsOf({ zone, paidFrom, chargedUnits, chargedZone, ...message }: Message): string[] {
  if (paidFrom === null) return ['was not charged']
  const rate = rateOfZone(zone)
  const { billable, reversed, reported } = message
  return [
    Number(chargedUnits) !== rate && `was charged ${dollars(Number(chargedUnits))}, its zone costs ${dollars(rate)}`,
    Number(message.priceUnits) !== rate && `has the price ${dollars(Number(message.priceUnits))} on it`,
    chargedZone !== zone && `was charged in zone ${chargedZone}, and is in ${zone}`,
    billable === false && !reversed && 'was refused, and is charged all the same',
    billable !== false && reversed && 'was not refused, and its charge was taken back',
    billable === true && paidFrom === 'overage' && !reported && 'is overage that is not going to be reported',
    reported && (paidFrom !== 'overage' || billable !== true) && 'is reported as overage, and is none',
  ].filter((fault) => fault !== false)
}

function count(
  counts: MessageCounts,
  { billable, chargedDay, paidFrom, priceUnits }: Message,
  day: string | null,
): void {
  counts.messages++
  if (billable === true && paidFrom === 'overage') counts.reports++
  if (day === null || chargedDay > day) counts.laterDay = chargedDay
  if (chargedDay !== day) return
  counts.messagesOfDay++
  if (billable !== false) counts.spendUnitsOfDay += Number(priceUnits)
}

async function findMessages(db: Db, teamId: string, after: string): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select message.id, message.zone, price_units as "priceUnits", billable, charged_day as "chargedDay",
      charge.kind as "paidFrom", charge.overage_units - charge.credit_units as "chargedUnits", charge.zone as "chargedZone",
      reversal.id is not null as reversed, report.message_id is not null as reported
    from sms_messages as message
    left join sms_ledger as charge on charge.team_id = message.team_id and charge.message_id = message.id
      and charge.kind in ('debit', 'overage')
    left join sms_ledger as reversal on reversal.team_id = message.team_id and reversal.message_id = message.id
      and reversal.kind = 'reversal'
    left join sms_usage_reports as report on report.team_id = message.team_id and report.message_id = message.id
    where message.team_id = ${teamId} and message.id > ${after}
    order by message.id limit ${pageMax}
  `.execute(db)
  return rows
}
