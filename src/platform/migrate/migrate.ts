import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildIndexes, concurrentMark } from './build-indexes.ts'

const ownFolder = new URL('../../../migrations/', import.meta.url)
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
export async function migrate(client: pg.ClientBase, folder = ownFolder): Promise<string[]> {
  await refuseUnfitServer(client)
  await client.query('set statement_timeout = 0')
  await lock(client)
  try {
    return await runPending(client, folder)
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

async function refuseUnfitServer(client: pg.ClientBase): Promise<void> {
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
  await client.query('create table if not exists migrations (name text primary key, hash text, run_at timestamptz)')
  const done = new Map(
    (await client.query('select name, hash from migrations')).rows.map((row) => [row.name, row.hash]),
  )
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const unknown = [...done.keys()].find((name) => !names.includes(name))
  if (unknown)
    throw new Error(`The database has migration ${unknown}, which this version does not know: run a newer version.`)
  const ran: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const hash = createHash('sha256').update(text).digest('hex')
    if (done.has(name) && done.get(name) !== hash)
      throw new Error(`Migration ${name} was changed after it had run here.`)
    if (!done.has(name)) {
      await runOne(client, name, hash, text)
      ran.push(name)
    }
  }
  return ran
}

/** Repeats a migration that gave up waiting for a lock, so that nothing waits behind it for longer. */
async function runOne(client: pg.ClientBase, name: string, hash: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(client, name, hash, text)
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined
      if (!lockedCodes.includes(cause?.code ?? '') || attempt === attemptsMax) throw error
      await sleep(pauseMs)
    }
  }
}

async function runOnce(client: pg.ClientBase, name: string, hash: string, text: string): Promise<void> {
  const isConcurrent = text.startsWith(concurrentMark)
  try {
    if (isConcurrent) await buildIndexes(client, text)
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    await client.query('begin')
    if (!isConcurrent) await client.query(text)
    await client.query('insert into migrations (name, hash, run_at) values ($1, $2, now())', [name, hash])
    await client.query('commit')
  } catch (error) {
    // Outside a transaction it is only a warning.
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
