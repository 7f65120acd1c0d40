import type pg from 'pg'

/** Makes the table of the migrations that have run, unless it is there. */
export async function createMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('create table if not exists migrations (name text primary key, hash text, run_at timestamptz)')
}
