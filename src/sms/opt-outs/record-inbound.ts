import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
import { readNumber } from '../phone-number.ts'
import type { InboundSms } from '../provider.ts'
import { type KeywordAction, keywordAction } from './keywords.ts'

/**
 * Records a message to the number of these teams. A keyword blocks or unblocks the sender's number, even if a team blocked it
 * by hand, since the person decides. Returns the action of the keyword, or null. Repeats (recognized by `id` or `at`) and late
 * messages (recognized by `at`) change nothing.
 */
export async function recordInboundSms(app: App, teamIds: string[], sms: InboundSms): Promise<KeywordAction | null> {
  const action = keywordAction(sms.body)
  if (teamIds.length === 0) return action
  const number = readNumber(sms.from).normalized
  await app.transaction(async (tx) => {
    if (sms.id !== undefined && !(await noteMessage(tx, sms.id))) return
    const data = { from: number, to: sms.to, body: sms.body }
    await publish(
      tx,
      teamIds.map((teamId) => ({ type: 'sms.received' as const, teamId, data })),
    )
    if (action === null) return
    const fresh = await noteKeyword(tx, teamIds, number, sms.at ?? null)
    await (action === 'opted_out' ? block(tx, fresh, number) : free(tx, fresh, number))
  })
  return action
}

/** Longer than any provider repeats a message; they do so for hours. */
const repeatedWithinMs = 7 * 24 * 60 * 60 * 1000

/** Notes the id of a message. False if it was recorded before. */
async function noteMessage(tx: Tx, id: string): Promise<boolean> {
  await tx.db
    .deleteFrom('sms_keyword_messages')
    .where('received_at', '<', new Date(tx.now.getTime() - repeatedWithinMs))
    .execute()
  const result = await tx.db
    .insertInto('sms_keyword_messages')
    .values({ id, received_at: tx.now })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Returns the teams for which this is the latest keyword of the number. A keyword without a time counts as the latest. */
async function noteKeyword(tx: Tx, teamIds: string[], number: string, at: Date | null): Promise<string[]> {
  const { rows } = await sql<{ teamId: string }>`
    insert into sms_keywords (team_id, phone_number, written_at)
    select team_id, ${number}, ${at ?? tx.now} from unnest(${teamIds.toSorted()}::uuid[]) as team (team_id)
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
    on conflict (team_id, phone_number) do nothing
  `.execute(tx.db)
}

async function free(tx: Tx, teamIds: string[], number: string): Promise<void> {
  await sql`
    delete from sms_opt_outs where team_id = any(${teamIds}::uuid[]) and phone_number = ${number}
  `.execute(tx.db)
}
