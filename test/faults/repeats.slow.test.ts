// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/start.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, type Email, email, leaseMs, until } from './installation.ts'

const workshop = await createWorkshop()

function sendMany(server: ServerProcess, key: string, count: number) {
  return Array.from({ length: count }, (_, number) =>
    call(server, key, 'POST', '/v1/emails', email(`${number}`)).catch(() => null),
  )
}

/** The ids of all emails, once each of them is sent. */
async function allSent(server: ServerProcess, key: string): Promise<string[]> {
  await until('every accepted email sent', async () => {
    const left = await call(server, key, 'GET', '/v1/emails?status=scheduled')
    return (left.body as { total: number }).total === 0
  })
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await call(server, key, 'GET', `/v1/emails?limit=100${cursor && `&cursor=${cursor}`}`)).body as {
      data: Email[]
      cursor: string | null
    }
    ids.push(...page.data.map(({ id }) => id))
    if (page.cursor === null) return ids
    cursor = page.cursor
  }
}

function countRepeats(ids: string[]): number {
  for (const id of ids) assert.ok(workshop.received(id) >= 1, `${id} was lost`)
  return ids.reduce((sum, id) => sum + workshop.received(id) - 1, 0)
}

test('at most 64 emails are sent again after a process is killed that could not record them', async () => {
  const { first, start, key, dataDir } = await workshop.install()
  const quiet = { info: () => undefined, warn: () => undefined }
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const client = new pg.Client(postgres.connection())
  await client.connect()
  await client.query('begin')
  await client.query('lock table email_events in share mode')
  const before = workshop.sink.messages.length
  const answers = sendMany(first, key, 90)
  await until('the relay to have 64', () => workshop.sink.messages.length - before >= 64)
  await sleep(1000)
  assert.equal(workshop.sink.messages.length - before, 64)
  await first.kill()
  await Promise.all(answers)
  await client.query('rollback')
  await client.end()
  const server = await start()
  assert.equal(countRepeats(await allSent(server, key)), 64)
  await postgres.stop()
  await server.stop()
})

test('a process stopped for longer than its lease repeats no email that others have sent, except those in flight', async () => {
  const { first, start, key } = await workshop.install()
  const second = await start()
  const before = workshop.sink.messages.length
  workshop.sink.state.answerAfterMs = 1000
  const answers = sendMany(first, key, 90)
  await until('the relay to have some', () => workshop.sink.messages.length - before >= 10)
  first.child.kill('SIGSTOP')
  workshop.sink.state.answerAfterMs = 0
  await sleep(2 * leaseMs)
  const ids = await allSent(second, key)
  first.child.kill('SIGCONT')
  await Promise.all(answers)
  // Ten connections, each with one message whose answer is awaited and one behind it.
  const repeats = countRepeats(ids)
  assert.ok(repeats <= 20, `${repeats} repeats`)
  assert.equal(await first.stop(), 0)
  assert.equal(await second.stop(), 0)
})
