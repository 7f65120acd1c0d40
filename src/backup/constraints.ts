import type pg from 'pg'
import { namesOf, quoted } from './catalogue.ts'

type Constraint = { table: string; name: string; definition: string }

/**
 * Runs `work` while the tables have neither foreign keys nor triggers, inside the caller's transaction. Rows then come
 * in any order and stay as they are. The keys are made anew at the end, and check all rows in one pass each. Owning the
 * tables is enough for both.
 */
export async function withoutChecks(client: pg.ClientBase, tables: string[], work: () => Promise<void>): Promise<void> {
  const constraints = await listConstraints(client, tables)
  for (const { table, name } of constraints) {
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  }
  const triggered = await listTriggered(client, tables)
  for (const table of triggered) await client.query(`alter table ${quoted(table)} disable trigger user`)
  await work()
  for (const table of triggered) await client.query(`alter table ${quoted(table)} enable trigger user`)
  for (const { table, name, definition } of constraints) {
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  }
}

/**
 * Lists foreign keys, and checks that older rows need not pass. In the order in which they were made, which cascades
 * follow.
 */
async function listConstraints(client: pg.ClientBase, tables: string[]): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select relname::text as table, conname::text as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = conrelid
     where (contype = 'f' or contype = 'c' and not convalidated) and conparentid = 0 and conrelid = any($1::regclass[])
     order by pg_constraint.oid`,
    [tables.map(quoted)],
  )
  return rows
}

async function listTriggered(client: pg.ClientBase, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct relname::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and tgrelid = any($1::regclass[]) order by 1`,
    [tables.map(quoted)],
  )
  return rows.map(({ table }) => table)
}

/** Locks tables for the caller's transaction alone. Throws if a process uses them for longer than five seconds. */
export async function lockAlone(client: pg.ClientBase, tables: string[]): Promise<void> {
  await client.query("set local lock_timeout = '5s'")
  await client.query(`lock table ${namesOf(tables)} in access exclusive mode`)
}
