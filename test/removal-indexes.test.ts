import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { features } from '../src/features.ts'
import { findWays } from '../src/teams/delete/find-ways.ts'
import { sharedTestApp } from './app.ts'

const { app } = await sharedTestApp()

/** Returns the columns with which the whole indexes of each table begin, as `table.column`. */
async function findIndexed(): Promise<Set<string>> {
  const { rows } = await sql<{ column: string }>`
    select held.relname || '.' || attribute.attname as column from pg_index as index
    join pg_class as held on held.oid = index.indrelid
    join pg_attribute as attribute on attribute.attrelid = held.oid and attribute.attnum = index.indkey[0]
    where held.relnamespace = current_schema()::regnamespace and index.indpred is null and index.indisvalid
  `.execute(app.db)
  return new Set(rows.map(({ column }) => column))
}

test('each table that the removal of a team or the erasure of a person reads in pages has an index for its pages', async () => {
  const ways = await findWays(app.db)
  const reads = [...ways, ...features.flatMap(({ traces = [] }) => traces).flatMap((trace) => trace.reads)].map(
    ({ table, column }) => `${table}.${column}`,
  )
  const indexed = await findIndexed()
  assert.deepEqual(
    reads.filter((column) => !indexed.has(column)),
    [],
    'Add an index that begins with this column, or name the owner by whose index the rows are found (find-ways.ts, traceOf).',
  )
})

test('the removal of a team reaches every table with rows of teams, a table before the one that it is found by', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'team_id'
      and table_name not in (select inhrelid::regclass::text from pg_inherits)
  `.execute(app.db)
  const ways = await findWays(app.db)
  const tables = ways.map(({ table }) => table)
  assert.deepEqual(new Set(tables), new Set(rows.map(({ name }) => name)))
  for (const { table, owner } of ways)
    assert.ok(!owner || tables.indexOf(table) < tables.indexOf(owner), `${table} before ${owner}`)
})
