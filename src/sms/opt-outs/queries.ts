import { sql } from 'kysely'
import type { Db } from '../../context.ts'

export const optOutColumns = ['id', 'phone_number as phoneNumber', 'reason', 'created_at as createdAt'] as const

/** Newest first. */
export function listOptOuts(db: Db, teamId: string) {
  return db
    .selectFrom('sms_opt_outs')
    .select(optOutColumns)
    .where('team_id', '=', teamId)
    .orderBy('id', 'desc')
    .execute()
}

export function findOptOut(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('sms_opt_outs')
    .select(optOutColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Which of these normalized numbers have opted out, of many teams in one statement: a set of `${teamId} ${number}`. */
export async function findOptedOut(db: Db, pairs: { teamId: string; number: string }[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const numbers = pairs.map(({ number }) => number)
  const { rows } = await sql<{ team_id: string; phone_number: string }>`
    select team_id, phone_number from sms_opt_outs
    where (team_id, phone_number) in (select * from unnest(${pairs.map(({ teamId }) => teamId)}::uuid[], ${numbers}::text[]))
  `.execute(db)
  return new Set(rows.map((row) => `${row.team_id} ${row.phone_number}`))
}
