import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { erasedForm } from '../../platform/privacy/person.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { numberForms } from '../../platform/text/phone-number.ts'

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

/**
 * Returns the normalized numbers that have opted out, of many teams in one statement, as a set of `${teamId}
 * ${number}`. Each number is looked up in all of its forms. Numbers of erased persons are known by their keyed hash
 * alone.
 */
export async function findOptedOut(
  { send, keyring }: Pick<Tx, 'send' | 'keyring'>,
  pairs: { teamId: string; number: string }[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const wanted = pairs.flatMap((pair) => {
    const forms = numberForms(pair.number)
    return [...forms, ...forms.map((form) => erasedForm(keyring, form))].map((form) => ({ ...pair, form }))
  })
  const rows = await send(sql<{ team_id: string; number: string }>`
    select entry.team_id, wanted.number
    from ${rowsOf(wanted, { teamId: 'uuid', number: 'text', form: 'text' }).as('wanted')}
    join sms_opt_outs as entry on entry.team_id = wanted.team_id and entry.phone_number = wanted.form
  `)
  return new Set(rows.map((row) => `${row.team_id} ${row.number}`))
}
