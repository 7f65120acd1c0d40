import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { findErasedNumbers } from '../../phone/find-erased.ts'
import { recordUnblocking } from '../../platform/audit/record.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { numberForms } from '../../platform/text/phone-number.ts'
import type { KeywordAction } from './keywords.ts'

/** `proven`: by the provider's signature. */
export type Origin = 'proven' | 'unproven'

type Consent = {
  teamIds: string[]
  /** As `readNumber` normalizes it. */
  number: string
  action: KeywordAction
  /** The time at which it was said, if it is known. */
  at: Date | null
  /** The end of a block is in the audit log if nothing but the caller says that the person wants it. */
  origin: Origin
}

/**
 * Blocks or unblocks a number for these teams, even if a team blocked it by hand before, since the person decides.
 * Something said earlier than what is known of the person changes nothing. A team that erased the person blocks the
 * number by its keyed hash, and stores it no more.
 */
export async function applyAction(tx: Tx, { teamIds, number, action, at, origin }: Consent): Promise<void> {
  const pairs = teamIds.map((teamId) => ({ teamId, number }))
  const erased = await findErasedNumbers(tx, pairs)
  const others = teamIds.filter((teamId) => !erased.has(`${teamId} ${number}`))
  const fresh = await noteAction(tx, others, number, at)
  await (action === 'opted_out' ? block(tx, fresh, number) : free(tx, fresh, { number, at, origin }))
}

/** Returns the teams for which this is the latest word of the number. A word without a time counts as the latest. */
async function noteAction(tx: Tx, teamIds: string[], number: string, at: Date | null): Promise<string[]> {
  const [form] = numberForms(number)
  const { rows } = await sql<{ teamId: string }>`
    insert into sms_keywords (team_id, phone_number, written_at)
    select team_id, ${form}, ${at ?? tx.now} from unnest(${teamIds.toSorted()}::uuid[]) as team (team_id)
    on conflict (team_id, phone_number) do update set written_at = greatest(sms_keywords.written_at, excluded.written_at)
      where ${at === null} or sms_keywords.written_at < excluded.written_at
    returning team_id as "teamId"
  `.execute(tx.db)
  return rows.map(({ teamId }) => teamId)
}

async function block(tx: Tx, teamIds: string[], number: string): Promise<void> {
  const teams = teamIds.map((teamId) => ({ teamId, id: tx.newId() }))
  await sql`
    insert into sms_opt_outs (team_id, id, phone_number, reason, created_at)
    select team_id, id, ${number}, 'keyword', ${tx.now}
    from ${rowsOf(teams, { teamId: 'uuid', id: 'uuid' }).as('team')}
    where not exists (
      select from sms_opt_outs as entry
      where entry.team_id = team.team_id and entry.phone_number = any(${numberForms(number)}::text[])
    )
    on conflict (team_id, phone_number) do nothing
  `.execute(tx.db)
}

type Word = Pick<Consent, 'number' | 'at' | 'origin'>

async function free(tx: Tx, teamIds: string[], { number, at, origin }: Word): Promise<void> {
  const { rows } = await sql<{ teamId: string; id: string; name: string; reason: string }>`
    delete from sms_opt_outs
    where team_id = any(${teamIds}::uuid[]) and phone_number = any(${numberForms(number)}::text[])
      and (${at === null} or reason <> 'manual' or created_at <= ${at ?? tx.now})
    returning team_id as "teamId", id, phone_number as name, reason
  `.execute(tx.db)
  if (origin === 'proven') return
  for (const { teamId, id, name, reason } of rows) {
    const target = { type: 'sms_opt_out', id, name }
    await recordUnblocking(tx, { teamId, action: 'sms_opt_out.removed', target, reason })
  }
}
