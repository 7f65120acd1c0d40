import { sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { isUuid, nilId } from '../platform/ids.ts'
import type { Schedule } from '../platform/jobs/job.ts'

type Noun = 'email' | 'template' | 'topic'
type Found<Extra> = { id: string; extra: Partial<Extra> }

/** Only templates have aliases. Our own API deletes a template without what it has beyond ours. */
const isLeft = sql`not exists (select from templates as own where own.team_id = resend_extras.team_id and own.id = resend_extras.id)`

/** Finds what a row has beyond ours, by its id or its alias. */
export async function findExtras<Extra>(
  db: Db,
  teamIds: string[],
  noun: Noun,
  one: string,
): Promise<Found<Extra> | undefined> {
  const is = isUuid(one) ? sql`id = ${one}` : sql`alias = ${one} and not ${isLeft}`
  const { rows } = await sql<Found<Extra>>`
    select id, extra from resend_extras
    where team_id = any(${teamIds}::uuid[]) and noun = ${noun} and ${is} order by team_id desc limit 1
  `.execute(db)
  return rows[0]
}

type Alias = { teamId: string; noun: Noun; alias: string; id?: string | undefined }
type NewExtras = { teamId: string; id: string; noun: Noun; alias?: string | null; extra: object }

/** Adds to what a row has beyond ours. Without `alias` it keeps the one it has. Throws `conflict` for a taken alias. */
export async function writeExtras(tx: Tx, { teamId, id, noun, alias, extra }: NewExtras): Promise<void> {
  if (alias) await takeAlias(tx, { teamId, noun, alias, id })
  await sql`
    insert into resend_extras (team_id, id, noun, alias, extra, created_at)
    values (${teamId}, ${id}, ${noun}, ${alias ?? null}, ${JSON.stringify(extra)}, ${tx.now})
    on conflict (team_id, id) do update set extra = resend_extras.extra || excluded.extra,
      alias = case when ${alias === undefined} then resend_extras.alias else excluded.alias end
  `.execute(tx.db)
}

async function takeAlias(tx: Tx, { teamId, noun, alias, id }: Alias): Promise<void> {
  // Two requests for one alias come one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${teamId} ${noun} ${alias}`}, 0))`.execute(tx.db)
  if (await isTaken(tx.db, { teamId, noun, alias, id })) {
    throw conflict(`The team already has a ${noun} with the alias ${alias}.`)
  }
  await sql`
    delete from resend_extras where team_id = ${teamId} and noun = ${noun} and alias = ${alias} and ${isLeft}
  `.execute(tx.db)
}

/** Tells whether an alias is that of another row. */
export async function isTaken(db: Db, { teamId, noun, alias, id }: Alias): Promise<boolean> {
  const found = await findExtras(db, [teamId], noun, alias)
  return found !== undefined && found.id !== id
}

export async function deleteExtras(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('resend_extras').where('team_id', '=', teamId).where('id', '=', id).execute()
}

/** Rows that one commit looks at, in a fraction of a second. Each email about a topic has one. */
const pageSize = 2000

/**
 * Emails are removed by age, and other rows by our own API. This is not a removal of the feature, since these rows have
 * no age: they go when what they belong to is gone.
 */
export const removeLeftExtras: Schedule = {
  kind: 'resend.remove-left-extras',
  everyMs: 24 * 3_600_000,
  async run(app: App) {
    // Ends with the table.
    for (let last: Key | null = { teamId: nilId, id: nilId }; last !== null && !app.isDraining(); ) {
      const after: Key = last
      last = await app.transaction((tx) => removePage(tx, after))
    }
  },
}

type Key = { teamId: string; id: string }

/** Returns the last key of the page. Null if there is none after `after`. */
async function removePage(tx: Tx, after: Key): Promise<Key | null> {
  const isOf = (table: string) =>
    sql`exists (select from ${sql.table(table)} as own where own.team_id = extras.team_id and own.id = extras.id)`
  const { rows } = await sql<Key>`
    with page as materialized (
      select team_id, id from resend_extras where (team_id, id) > (${after.teamId}::uuid, ${after.id}::uuid)
      order by team_id, id limit ${pageSize}
    ), gone as (
      delete from resend_extras as extras using page
      where extras.team_id = page.team_id and extras.id = page.id
        and not ${isOf('emails')} and not ${isOf('templates')} and not ${isOf('topics')}
    )
    select team_id as "teamId", id from page order by team_id desc, id desc limit 1
  `.execute(tx.db)
  return rows[0] ?? null
}
