import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { dollars } from '../dollars.ts'
import type { Differ } from './verified-team.ts'

const pageMax = 5000

type Entry = {
  id: string
  kind: string
  creditUnits: string
  overageUnits: string
  term: number
  messageId: string | null
  hasMessage: boolean
  /** The reversal of a charge, or the charge of a reversal. */
  otherId: string | null
  otherCreditUnits: string
  otherOverageUnits: string
  otherTerm: number
}

/**
 * Checks a team's entries in the order in which they were made. Returns the sum of their changes to its credit.
 * Messages up to `removedThrough` may have been removed.
 */
export async function checkEntries(
  db: Db,
  teamId: string,
  removedThrough: string | null,
  differ: Differ,
): Promise<number> {
  let sumUnits = 0
  let wasNegative = false
  for (let after = '0'; ; ) {
    const entries = await findEntries(db, teamId, after)
    for (const entry of entries) {
      sumUnits += Number(entry.creditUnits)
      if (sumUnits < 0 && !wasNegative) differ(`its credit was ${dollars(sumUnits)} after entry ${entry.id}`)
      wasNegative = sumUnits < 0
      const fault = faultOf(entry, removedThrough ?? '')
      if (fault) differ(fault)
    }
    if (entries.length < pageMax) return sumUnits
    after = entries.at(-1)!.id
  }
}

function faultOf(entry: Entry, removedThrough: string): string | null {
  const { id, kind, messageId, hasMessage, otherId } = entry
  if (messageId === null) return null
  if (kind !== 'reversal') {
    return hasMessage || otherId || messageId <= removedThrough
      ? null
      : `entry ${id} charges message ${messageId}, which does not exist`
  }
  if (otherId === null) return `entry ${id} reverses message ${messageId}, which was never charged`
  const expectedUnits = entry.term === entry.otherTerm ? -Number(entry.otherCreditUnits) : 0
  const isWhole = Number(entry.overageUnits) === -Number(entry.otherOverageUnits)
  if (Number(entry.creditUnits) === expectedUnits && isWhole) return null
  return `entry ${id} reverses message ${messageId} by another amount than it was charged`
}

async function findEntries(db: Db, teamId: string, after: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select entry.id, entry.kind, entry.credit_units as "creditUnits", entry.overage_units as "overageUnits", entry.term,
      entry.message_id as "messageId", message.id is not null as "hasMessage", other.id as "otherId",
      other.credit_units as "otherCreditUnits", other.overage_units as "otherOverageUnits", other.term as "otherTerm"
    from sms_ledger as entry
    left join sms_messages as message on message.team_id = entry.team_id and message.id = entry.message_id
    left join lateral (
      select * from sms_ledger as reversal where entry.kind in ('debit', 'overage') and reversal.kind = 'reversal'
        and reversal.team_id = entry.team_id and reversal.message_id = entry.message_id
      union all
      select * from sms_ledger as charge where entry.kind = 'reversal' and charge.kind in ('debit', 'overage')
        and charge.team_id = entry.team_id and charge.message_id = entry.message_id
    ) as other on true
    where entry.team_id = ${teamId} and entry.id > ${after}
    order by entry.id limit ${pageMax}
  `.execute(db)
  return rows
}
