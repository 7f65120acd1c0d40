import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { onServer } from '../../test/database.ts'
import { readAll, readOnceThere } from './fixtures/read-all.ts'
import { keepFeedOrder } from './keep-order.ts'

let database: pg.ClientConfig | undefined
const through = async (config: pg.ClientConfig) => {
  database = config
  return config
}
const posthorn = await createTestApp({}, { through })
const { db } = posthorn.app

async function send(team: TestTeam): Promise<string> {
  const mail = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' }
  return (await team.api.post('/v1/emails', mail)).body.id
}

/** Does what each start does once the database is migrated. */
const start = () => onServer(database!, keepFeedOrder)

/** Starts on a cluster of another name. */
async function leap(cluster: string): Promise<void> {
  await sql`update feed_cluster set cluster = ${cluster}`.execute(db)
  await start()
}

/** Sends an email, and asserts that a reader at `cursor` gets its two entries. */
async function assertReadsOn(team: TestTeam, cursor: string): Promise<void> {
  const id = await send(team)
  await readOnceThere(team.api, 2)
  const { entries } = await readAll(team.api, { after: cursor })
  assert.deepEqual(
    entries.map(({ data }) => data.emailId),
    [id, id],
  )
}

async function findAdded(): Promise<bigint> {
  return BigInt((await db.selectFrom('feed_cluster').select('added').executeTakeFirstOrThrow()).added)
}

test('after a restore on a cluster with smaller transaction numbers, readers go on and miss nothing', async () => {
  await start()
  const team = await posthorn.team()
  const first = await send(team)
  await readOnceThere(team.api, 2)
  // A restored dump has rows of transactions that this cluster has yet to run.
  await sql`update email_events set position = position + 1000000000000`.execute(db)
  await leap('another 1')
  const { entries, cursor } = await readAll(team.api)
  assert.deepEqual(new Set(entries.map(({ data }) => data.emailId)), new Set([first]))
  const second = await send(team)
  await readOnceThere(team.api, 4)
  const rest = await readAll(team.api, { after: cursor })
  assert.deepEqual(
    rest.entries.map(({ data }) => data.emailId),
    [second, second],
  )
})

test('places that were given after the dump are not given again', async () => {
  const team = await posthorn.team()
  await send(team)
  await readOnceThere(team.api, 2)
  const { cursor } = await readAll(team.api)
  // The dump was made before the event that the reader knows.
  await sql`delete from email_events where team_id = ${team.id}`.execute(db)
  await leap('another 2')
  await assertReadsOn(team, cursor)
})

test('entries come behind the last one that retention had removed', async () => {
  await start()
  const team = await posthorn.team()
  await send(team)
  await readOnceThere(team.api, 2)
  // A restored dump has places of transactions that this cluster has yet to run.
  await sql`update email_events set position = position + 5000000000000 where team_id = ${team.id}`.execute(db)
  await leap('another 4')
  const { cursor } = await readAll(team.api)
  await sql`
    with gone as (delete from email_events where team_id = ${team.id} returning team_id, position, id)
    insert into email_event_removals (team_id, position, id)
    select team_id, position, id from gone order by position desc, id desc limit 1
  `.execute(db)
  await sql`update feed_cluster set added = 0`.execute(db)
  await leap('another 5')
  await assertReadsOn(team, cursor)
})

test('a start on the same cluster changes nothing, and two that meet on another one do it once', async () => {
  await start()
  const added = await findAdded()
  await start()
  assert.equal(await findAdded(), added)
  await sql`update feed_cluster set cluster = 'another 3'`.execute(db)
  await Promise.all([start(), start()])
  assert.equal((await findAdded()) - added, 2n ** 32n)
})
