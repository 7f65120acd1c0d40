import type pg from 'pg'
import { readMigrations } from '../platform/migrate/files.ts'
import type { BackupTable, Partition, SequenceState } from './records.ts'

/** A table and the bytes that it takes, with its indexes. */
export type FoundTable = BackupTable & { bytes: number }

const here = 'to_regnamespace(quote_ident(current_schema()))'

/**
 * Lists our tables with the columns that are stored, without those that are computed from others. Partitions belong to
 * their table. Tables that no migration names are somebody else's.
 */
export async function listTables(client: pg.ClientBase): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(`
    select relname::text as name, relkind = 'p' as "isPartitioned", pg_total_relation_size(oid)::float8 as bytes,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns
    from pg_class
    where relnamespace = ${here} and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
    order by relname`)
  const words = new Set((await readMigrations()).flatMap(({ text }) => text.match(/\w+/g) ?? []))
  return rows.filter(({ name }) => words.has(name))
}

/** Tells whether the schema has any tables, also somebody else's. */
export async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (select from pg_class where relnamespace = ${here} and relkind in ('r', 'p')) as found`,
  )
  return rows[0].found
}

export async function listPartitions(client: pg.ClientBase, tables: BackupTable[]): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select child.relname::text as name, parent.relname::text as parent, pg_get_expr(child.relpartbound, child.oid) as bound
     from pg_inherits join pg_class as child on child.oid = inhrelid join pg_class as parent on parent.oid = inhparent
     where parent.relnamespace = ${here} and parent.relkind = 'p' and parent.relname = any($1) order by child.relname`,
    [tables.filter(({ isPartitioned }) => isPartitioned).map(({ name }) => name)],
  )
  return rows
}

/** Reads the state of each identity column's sequence. Sequences run ahead of what a transaction sees, never behind. */
export async function listSequences(client: pg.ClientBase, tables: BackupTable[]): Promise<SequenceState[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select relname::text as table, attname::text as column, pg_get_serial_sequence(quote_ident(relname), attname) as sequence
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = ${here} and attnum > 0 and not attisdropped and relname = any($1)
       and pg_get_serial_sequence(quote_ident(relname), attname) is not null
     order by relname, attname`,
    [tables.map(({ name }) => name)],
  )
  const states: SequenceState[] = []
  for (const { table, column, sequence } of rows) {
    const found = await client.query(`select last_value as value, is_called as "isCalled" from ${sequence}`)
    states.push({ table, column, ...found.rows[0] })
  }
  return states
}

/** The list of names in the text of a statement. */
export function namesOf(names: string[]): string {
  return names.map(quoted).join(', ')
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
