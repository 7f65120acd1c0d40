import type pg from 'pg'
import { copyIn } from './copy-in.ts'
import type { Parts } from './with-posthorn.ts'

/** Makes a table with the columns and indexes of `contacts`, without triggers and foreign keys. */
export async function makeBareTable(database: pg.Pool): Promise<void> {
  await database.query('create table bare_contacts (like contacts including all)')
}

/** Returns the milliseconds for importing a CSV into the bare table: one COPY, one statement, one commit. */
export async function bareImport({ database, teamId }: Parts, csv: Buffer, count: number): Promise<number> {
  const client = await database.connect()
  try {
    const started = performance.now()
    await client.query('begin')
    await client.query(incoming)
    await copyIn(client, 'copy incoming from stdin (format csv)', csv)
    const { rowCount } = await client.query(insert, [teamId])
    await client.query('commit')
    const elapsedMs = performance.now() - started
    if (rowCount !== count) throw new Error(`The bare statement took ${rowCount} rows.`)
    return elapsedMs
  } finally {
    client.release()
  }
}

const incoming = `
  create temporary table incoming (email text, first_name text, last_name text, phone_number text) on commit drop
`

const insert = `
  insert into bare_contacts (team_id, id, email, email_key, first_name, last_name, phone_number, unsubscribe_seed,
    unsubscribe_hash, created_at, updated_at)
  select $1, uuidv7(), email, lower(email), first_name, last_name, phone_number, md5(random()::text),
    md5(random()::text), now(), now()
  from incoming
  on conflict (team_id, email_key) do update
  set first_name = excluded.first_name, last_name = excluded.last_name, phone_number = excluded.phone_number,
    updated_at = excluded.updated_at
`
