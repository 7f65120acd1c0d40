import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql-rows.ts'

export const optOutColumns = ['id', 'phone_number as phoneNumber', 'reason', 'created_at as createdAt'] as const

/** Newest first. */
export function listOptOuts(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('sms_opt_outs').select(optOutColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'sms opt-outs', teamId }, query, rows)
}

export function findOptOut(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('sms_opt_outs')
    .select(optOutColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the normalized numbers that have opted out, of many teams in one statement, as a set of `${teamId} ${number}`. */
export async function findOptedOut(db: Db, pairs: { teamId: string; number: string }[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const { rows } = await sql<{ team_id: string; phone_number: string }>`
    select team_id, phone_number from sms_opt_outs
    where (team_id, phone_number) in (select * from ${rowsOf(pairs, { teamId: 'uuid', number: 'text' }).as('pair')})
  `.execute(db)
  return new Set(rows.map((row) => `${row.team_id} ${row.phone_number}`))
}
