import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { opaqueArray, rowsOf } from './sql-rows.ts'

const { app } = await createTestApp()

type Move = { teamId: string; at: Date | null; is_done: boolean; count?: number }
const at = new Date('2026-01-31T12:00:00Z')
const columns = { teamId: 'uuid', at: 'timestamptz', is_done: 'bool', count: 'int' } as const

test('rows of a statement have the names, types and nulls that they were given', async () => {
  const teamId = app.newId()
  const moves: Move[] = [
    { teamId, at, is_done: true },
    { teamId, at: null, is_done: false, count: 2 },
  ]
  const { rows } = await sql`select * from ${rowsOf(moves, columns).as('new')}`.execute(app.db)
  assert.deepEqual(rows, [
    { team_id: teamId, at, is_done: true, count: null },
    { team_id: teamId, at: null, is_done: false, count: 2 },
  ])
})

test('rows of a statement can be numbered in their order', async () => {
  const moves = [1, 2].map((count) => ({ teamId: app.newId(), at, is_done: true, count }))
  const rows = rowsOf(moves, { count: 'int' }).as('new', 'position')
  const found = await sql<{ count: number; position: number }>`select count, position::int from ${rows}`.execute(app.db)
  assert.deepEqual(pluckRows(found.rows, 'count', 'position'), [
    [1, 1],
    [2, 2],
  ])
})

test('the text of a statement does not depend on the number of rows', () => {
  const text = (moves: Move[]) => sql`select from ${rowsOf(moves, columns).as('new')}`.compile(app.db).sql
  assert.equal(text([]), text([{ teamId: app.newId(), at, is_done: true }]))
  assert.equal(
    text([]),
    'select from unnest((select $1::uuid[]), $2::timestamptz[], $3::bool[], $4::int[]) as "new" ("team_id", "at", "is_done", "count")',
  )
})

/** Runs a statement eight times on one connection, and returns the plans that its last run found. */
async function plansOf(mark: string, statement: RawBuilder<unknown>): Promise<{ kept: number; made: number }[]> {
  return app.transaction(async (tx) => {
    // As in production; the server of the tests may keep every plan.
    await tx.send(sql`set local plan_cache_mode = auto`)
    for (let turn = 0; turn < 8; turn++) await tx.send(statement)
    return tx.send(sql<{ kept: number; made: number }>`
      select generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements
      where statement like ${`select oid as ${mark}%`}`)
  })
}

// The server makes five plans before it compares.
const kept = [{ kept: 3, made: 5 }]

test('a statement with few rows keeps its plan', async () => {
  const named = rowsOf([{ name: 'emails' }], { name: 'text' }).as('wanted')
  assert.deepEqual(
    await plansOf('found', sql`select oid as found from ${named} join pg_class on relname = wanted.name::name`),
    kept,
  )
})

test('a statement with an array of few values keeps its plan if they are opaque', async () => {
  const found = (mark: string, names: RawBuilder<string[]>) =>
    plansOf(mark, sql`select oid as ${sql.raw(mark)} from pg_class where relname = any(${names})`)
  assert.deepEqual(await found('hidden', opaqueArray(['emails'], 'text')), kept)
  assert.deepEqual(await found('seen', sql`${['emails']}::text[]`), [{ kept: 0, made: 8 }])
})
