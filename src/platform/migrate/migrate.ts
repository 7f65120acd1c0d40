import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildIndexes, concurrentMark } from './build-indexes.ts'
import { createMigrations } from './create-table.ts'
import { findDone, type Migration, ownMigrations, pendingOf, readMigrations } from './files.ts'

/** Any fixed number. Processes that start at the same time wait here for the first. */
const lockKey = 7_678_846_001
/** The SQLSTATEs of a statement that waited for a lock longer than `lock_timeout`, or met a deadlock. */
const lockedCodes = ['55P03', '40P01']
/** The longest that other transactions wait behind a migration that waits for a lock. */
const lockTimeoutMs = 3000
/** More than two minutes with the pauses. */
const attemptsMax = 40
const pauseMs = 1000
const lookAgainMs = 250

/**
 * Brings the database to this version. Runs plain SQL files, each in a transaction, once, in the order of their
 * numbers. A file that begins with `concurrentMark` builds indexes instead. Returns the names of those it ran. Throws
 * if a file that ran before was changed or is missing.
 */
export async function migrate(client: pg.ClientBase, folder = ownMigrations): Promise<string[]> {
  await refuseUnfitServer(client)
  await client.query('set statement_timeout = 0')
  return withoutOthersMigrating(client, () => runPending(client, folder))
}

/** Returns the names of the migrations that a start would run. Changes nothing. Throws if a start would be refused. */
export async function findPending(client: pg.ClientBase): Promise<string[]> {
  await refuseUnfitServer(client)
  return pendingOf(await readMigrations(), await findDone(client)).map(({ name }) => name)
}

/** Runs `work` while no other process migrates. Those that start meanwhile wait for it. */
export async function withoutOthersMigrating<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await lock(client)
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

/**
 * Waits for as long as another process migrates. It asks again and again: a statement that waits is a transaction, and
 * the building of an index waits for older transactions.
 */
async function lock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [lockKey])
    if (rows[0].locked) return
    await sleep(lookAgainMs)
  }
}

export async function refuseUnfitServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`
    select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding`)
  const [{ major, encoding }] = rows
  if (major < 15) throw new Error(`DATABASE_URL must be PostgreSQL 15 or newer; it is ${major}.`)
  if (encoding !== 'UTF8')
    throw new Error(
      `DATABASE_URL must be a database with the encoding UTF8; it has ${encoding}. Make one: create database posthorn template template0 encoding 'UTF8'`,
    )
}

async function runPending(client: pg.ClientBase, folder: URL): Promise<string[]> {
  await createMigrations(client)
  const pending = pendingOf(await readMigrations(folder), await findDone(client))
  for (const migration of pending) await runOne(client, migration)
  return pending.map(({ name }) => name)
}

/** Repeats a migration that gave up waiting for a lock, so that nothing waits behind it for longer. */
async function runOne(client: pg.ClientBase, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(client, migration)
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined
      if (!lockedCodes.includes(cause?.code ?? '') || attempt === attemptsMax) throw error
      await sleep(pauseMs)
    }
  }
}

async function runOnce(client: pg.ClientBase, { name, hash, text }: Migration): Promise<void> {
  const isConcurrent = text.startsWith(concurrentMark)
  try {
    if (isConcurrent) await buildIndexes(client, text)
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    await client.query('begin')
    if (!isConcurrent) await client.query(text)
    await client.query('insert into migrations (name, hash, run_at) values ($1, $2, now())', [name, hash])
    await client.query('commit')
  } catch (error) {
    // Outside a transaction it is only a warning. If the connection is lost, the cause is the error to tell.
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
