// needs: waiting
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { until } from '../../test/patience.ts'
import { readConfig } from '../config.ts'
import { openStorage, type Storage } from '../storage.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-timeline-'))
after(() => rm(dataDir, { recursive: true, force: true }))
const open = () => openStorage(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))

async function findHorizon({ connections }: Storage): Promise<bigint> {
  const { rows } = await sql<{ horizon: string }>`select feed_horizon() as horizon`.execute(connections.db)
  return BigInt(rows[0]!.horizon)
}

test('a running process goes on behind all places once the database has another timeline', async () => {
  const storage = await open()
  try {
    const before = await findHorizon(storage)
    await restartOnNewTimeline(storage.connection)
    await until(async () => (await findHorizon(storage).catch(() => before)) > before + 2n ** 32n)
    assert.ok((await findHorizon(storage)) < before + 2n ** 33n, 'it is done once')
  } finally {
    await storage.close()
  }
})

test('a login that may not ask for the cluster gets connections', async () => {
  const before = await open()
  await asSuperuser(before.connection, 'revoke execute on function pg_control_system() from public')
  await before.close()
  const storage = await open()
  try {
    await Promise.all([findHorizon(storage), findHorizon(storage), findHorizon(storage)])
  } finally {
    await storage.close()
  }
})

async function asSuperuser(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client({ ...connection, user: 'postgres' })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Has the server recover from an archive without files, as a standby that takes over: it goes on in a new timeline. */
async function restartOnNewTimeline(connection: pg.ClientConfig): Promise<void> {
  const cluster = join(dataDir, 'postgres', 'cluster')
  await asSuperuser(connection, `alter system set restore_command = 'false'`)
  await writeFile(join(cluster, 'recovery.signal'), '')
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGINT')
}
