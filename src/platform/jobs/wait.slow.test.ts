// needs: waiting
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestApp } from '../../../test/app.ts'
import { makeDataFolder } from '../../../test/data-folder.ts'
import { patienceMs } from '../../../test/patience.ts'
import { startServer } from '../../../test/server-process.ts'
import { deliverToEndpointJob, forgetDeliveriesJob } from '../../webhooks/jobs.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts'
import { enqueueJob } from './enqueue.ts'

type Ask = (text: string) => Promise<{ rows: { count: string }[] }>

/** The longest time after which a connection reports its transactions to the statistics (PGSTAT_IDLE_INTERVAL). */
const reportMs = 10_500
const watchedMs = 10_000

/** Counts the transactions a second of a database that is left alone. A slow machine makes fewer, and never more. */
async function commitsPerSecond(ask: Ask): Promise<number> {
  const count = async () =>
    Number(
      (await ask('select xact_commit as count from pg_stat_database where datname = current_database()')).rows[0]!
        .count,
    )
  await sleep(reportMs)
  const [begun, before] = [performance.now(), await count()]
  await sleep(watchedMs)
  return ((await count()) - before) / ((performance.now() - begun) / 1000)
}

test('a worker waits beside a due job of a deleted team and one that another connection holds, and takes it when it is free', async () => {
  const { app, ...posthorn } = await createTestApp()
  const [gone, stays] = [await posthorn.team(), await posthorn.team()]
  await posthorn.runDueJobs()
  await app.transaction(async (tx) => {
    await enqueueJob(tx, deliverToEndpointJob, { key: app.newId(), teamId: gone.id })
    await enqueueJob(tx, forgetDeliveriesJob, { key: app.newId(), payload: { teamId: stays.id } })
  })
  await sql`update teams set deleted_at = now() where id = ${gone.id}`.execute(app.db)
  const left = async () => {
    const { rows } = await sql<{ kind: string }>`
      select kind from jobs where kind in (${deliverToEndpointJob.kind}, ${forgetDeliveriesJob.kind})
    `.execute(app.db)
    return rows.map(({ kind }) => kind)
  }
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const holding = app.transaction(async (tx) => {
    await sql`select from jobs where kind = ${forgetDeliveriesJob.kind} for update`.execute(tx.db)
    held.resolve()
    await free.promise
  })
  await held.promise
  app.jobs.start()
  const perSecond = await commitsPerSecond((text) => sql.raw<{ count: string }>(text).execute(app.db))
  const before = await left()
  free.resolve()
  await holding
  assert.deepEqual(before.sort(), [deliverToEndpointJob.kind, forgetDeliveriesJob.kind])
  assert.ok(perSecond < 8, `${perSecond} transactions a second`)
  for (const end = performance.now() + patienceMs; (await left()).length > 1 && performance.now() < end; )
    await sleep(50)
  assert.deepEqual(await left(), [deliverToEndpointJob.kind])
})

test('an idle server makes fewer than five transactions a second', async (context) => {
  const dataDir = makeDataFolder('idle')
  context.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startServer({ DATA_DIR: dataDir, DASHBOARD: 'off' })
  context.after(() => server.stop())
  const log = { info: () => undefined, warn: () => undefined }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const client = new pg.Client(postgres.connection())
  await client.connect()
  // A slow machine is still at the work of its start in the first seconds.
  let perSecond = Number.POSITIVE_INFINITY
  for (let watches = 0; perSecond >= 5 && watches < 3; watches++)
    perSecond = await commitsPerSecond((text) => client.query(text))
  await client.end()
  await postgres.stop()
  assert.ok(perSecond < 5, `${perSecond} transactions a second`)
})
