import { sql } from 'kysely'
import type { App, Db } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import type { Schedule } from '../platform/jobs/job.ts'

type Noun = 'email' | 'template' | 'topic' | 'broadcast'
type Extra = Record<string, unknown>
export type Extras<E> = { alias: string | null; extra: Partial<E> }

/** Finds what rows have beyond ours, by their ids. */
export async function findExtras<E>(db: Db, teamIds: string[], ids: string[]): Promise<Map<string, Extras<E>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Extras<E> & { id: string }>`
    select id, alias, extra from resend_extras where team_id = any(${teamIds}::uuid[]) and id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, ...extras }) => [id, extras]))
}

/** Finds the id of the row with an alias. */
export async function findAliased(db: Db, teamIds: string[], noun: Noun, alias: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from resend_extras
    where team_id = any(${teamIds}::uuid[]) and noun = ${noun} and alias = ${alias} order by team_id desc limit 1
  `.execute(db)
  return rows[0]?.id
}

type NewExtras = { teamId: string; id: string; noun: Noun; alias?: string | null; extra: Extra }

/** Adds to what a row has beyond ours. Without `alias` it keeps the one it has. Throws `conflict` for a taken alias. */
export async function writeExtras(app: App, { teamId, id, noun, alias, extra }: NewExtras): Promise<void> {
  await app.transaction(async (tx) => {
    // Two requests for one alias come one after the other.
    if (alias)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${teamId} ${noun} ${alias}`}, 0))`.execute(tx.db)
    if (alias && (await isTaken(tx.db, teamId, noun, alias, id))) {
      throw conflict(`The team already has a ${noun} with the alias ${alias}.`)
    }
    await sql`
      insert into resend_extras (team_id, id, noun, alias, extra, created_at)
      values (${teamId}, ${id}, ${noun}, ${alias ?? null}, ${JSON.stringify(extra)}, ${tx.now})
      on conflict (team_id, id) do update set extra = resend_extras.extra || excluded.extra,
        alias = case when ${alias === undefined} then resend_extras.alias else excluded.alias end
    `.execute(tx.db)
  })
}

async function isTaken(db: Db, teamId: string, noun: Noun, alias: string, id: string): Promise<boolean> {
  const found = await findAliased(db, [teamId], noun, alias)
  return found !== undefined && found !== id
}

export async function deleteExtras(app: App, teamId: string, id: string): Promise<void> {
  await app.transaction((tx) =>
    tx.db.deleteFrom('resend_extras').where('team_id', '=', teamId).where('id', '=', id).execute(),
  )
}

/** Emails are removed by age, and other rows by our own API. */
export const removeLeftExtras: Schedule = {
  kind: 'resend.remove-left-extras',
  everyMs: 24 * 3_600_000,
  async run(app: App) {
    await app.transaction((tx) =>
      sql`
      delete from resend_extras as extras where
        not exists (select from emails as own where own.team_id = extras.team_id and own.id = extras.id)
        and not exists (select from templates as own where own.team_id = extras.team_id and own.id = extras.id)
        and not exists (select from topics as own where own.team_id = extras.team_id and own.id = extras.id)
        and not exists (select from broadcasts as own where own.team_id = extras.team_id and own.id = extras.id)
    `.execute(tx.db),
    )
  },
}
