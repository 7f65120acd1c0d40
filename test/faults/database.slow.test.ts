// needs: waiting
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promptMs } from '../patience.ts'
import { ownLauncher, runCommand } from '../server-process.ts'
import { call, createWorkshop, type Email, email, until } from './installation.ts'

const workshop = await createWorkshop()

/** The embedded server's pid: the first line of its postmaster.pid. */
function postmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
}

test('when the database dies under load, requests get 503 with Retry-After soon, and the process recovers without loss', async () => {
  const { first: server, key, dataDir } = await workshop.install()
  // The clients ask all the while, and a slow machine takes longer to recover.
  const [teamId] = (await runCommand(dataDir, 'team', 'list')).split('\t')
  const limits = ['apiRequestsPerMinute', 'emailsPerSecond', 'dailyEmailLimit']
  await runCommand(dataDir, 'team', 'set-limits', teamId!, ...limits.map((limit) => `${limit}=100000`))
  const clients = 8
  const ids = new Map<string, string>()
  const statuses = new Set<number>()
  let longestMs = 0
  let stopping = false
  async function client(number: number): Promise<void> {
    for (let count = 0; !stopping; count++) {
      const idempotencyKey = `${number}-${count}`
      const id = await until(`an answer for ${idempotencyKey}`, async () => {
        const began = Date.now()
        const answer = await call(server, key, 'POST', '/v1/emails', email(idempotencyKey), idempotencyKey)
        // A repeat may wait for the first request's outcome; the first one must be answered soon.
        if (answer.status !== 200) longestMs = Math.max(longestMs, Date.now() - began)
        statuses.add(answer.status)
        if (answer.status === 503) assert.ok(Number(answer.retryAfter) > 0)
        return answer.status === 200 && (answer.body as Email).id
      })
      ids.set(idempotencyKey, id)
    }
  }
  const work = Array.from({ length: clients }, (_, number) => client(number))
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await sleep(1000)
    // A slow machine takes seconds to start the database again, and until then there is none to kill.
    const before = ids.size
    await until('an answer of the database', () => ids.size >= before + 2 * clients)
    process.kill(postmaster(dataDir), signal)
    await sleep(3000)
  }
  stopping = true
  await Promise.all(work)
  await until('every accepted email sent', async () => {
    const left = await call(server, key, 'GET', '/v1/emails?status=scheduled')
    return left.status === 200 && (left.body as { total: number }).total === 0
  })
  assert.deepEqual(
    [...statuses].filter((status) => ![200, 503].includes(status)),
    [],
  )
  assert.ok(longestMs <= promptMs, `${longestMs} ms`)
  for (const id of ids.values()) assert.ok(workshop.received(id) >= 1, `${id} was lost`)
  const repeats = [...ids.values()].reduce((sum, id) => sum + workshop.received(id) - 1, 0)
  assert.ok(repeats <= 2 * clients, `${repeats} repeats`)
  const sent = await call(server, key, 'GET', '/v1/emails?status=sent')
  assert.equal((sent.body as { total: number }).total, ids.size)
  assert.equal(await server.stop(), 0)
})

test('a start waits for a database that does not answer yet, says so, and ends at a stop signal', async () => {
  const { first, start, dataDir } = await workshop.install()
  await first.kill()
  const database = postmaster(dataDir)
  process.kill(database, 'SIGSTOP')
  const environment = { PATH: process.env.PATH, PORT: '0', SMTP_PORT: 'off', SMTPS_PORT: 'off', DATA_DIR: dataDir }
  const child = spawn(process.execPath, [ownLauncher, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await until('the log of the wait', () => output.includes('Waiting for the database'))
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  process.kill(database, 'SIGCONT')
  assert.equal(code, 0, output)
  assert.equal(await (await start()).stop(), 0)
})
