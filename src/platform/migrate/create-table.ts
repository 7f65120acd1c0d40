import type pg from 'pg'

/**
 * Makes the table of the migrations that have run, unless it is there. Throws if it is in a schema other than the first
 * of the search path, since all tables would be made a second time, empty.
 */
export async function createMigrations(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string; first: string }>(`
    select namespace.nspname as schema, current_schema() as first
    from pg_class as found join pg_namespace as namespace on namespace.oid = found.relnamespace
    where found.oid = to_regclass('migrations') and namespace.nspname <> current_schema()
      and exists (select from pg_attribute where attrelid = found.oid and attname = 'hash')
  `)
  const [elsewhere] = rows
  if (elsewhere) {
    const { schema, first } = elsewhere
    throw new Error(
      `The tables are in the schema ${schema}, and the search_path of the role begins with ${first}. Run: alter role … set search_path = ${schema}`,
    )
  }
  await client.query('create table if not exists migrations (name text primary key, hash text, run_at timestamptz)')
}
