import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestApp, type TestTeam } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import type { EmailProvider, OutboundMessage } from '../../provider.ts'
import { smtpProvider } from '../../providers/smtp.ts'
import { startScriptedServer } from '../../smtp-client/fixtures/scripted-server.ts'
import { unrecordedMax } from './hand-over.ts'

function sendMany(team: TestTeam, count: number) {
  const body = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x' }
  return Array.from({ length: count }, () => team.api.post('/v1/emails', body))
}

async function countAccepted({ app }: TestApp): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from emails`.execute(app.db)
  return Number(rows[0]!.count)
}

test('a process has at most 64 handed-over emails that are not recorded yet, so a killed process repeats no more', async () => {
  const handed: OutboundMessage[] = []
  const emailProvider: EmailProvider = {
    name: 'peer',
    signs: false,
    async send(message) {
      handed.push(message)
      return { kind: 'answered', accepted: message.envelope.to, facts: [], response: '250 ok' }
    },
    close: async () => undefined,
  }
  const posthorn = await createTestApp({}, { emailProvider })
  const team = await posthorn.team()
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = posthorn.app.transaction(async (tx) => {
    await sql`lock table email_events in share mode`.execute(tx.db)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  const answers = sendMany(team, 90)
  await until(async () => (await countAccepted(posthorn)) === 90 && handed.length >= unrecordedMax)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  assert.equal(handed.length, 64)
  unlock.resolve()
  await lock
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
  assert.equal(new Set(handed.map(({ emailId }) => emailId)).size, 90)
})

slowTest('a process that stops hands no further email over, and leaves those it has begun to others', async () => {
  const handed: OutboundMessage[] = []
  const answer = Promise.withResolvers<void>()
  const emailProvider: EmailProvider = {
    name: 'peer',
    signs: false,
    async send(message) {
      handed.push(message)
      await answer.promise
      return { kind: 'answered', accepted: message.envelope.to, facts: [], response: '250 ok' }
    },
    close: async () => undefined,
  }
  const posthorn = await createTestApp({}, { emailProvider })
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x', scheduledAt }
  await ok(team.api.post('/v1/emails/batch', { emails: Array.from({ length: 80 }, () => email) }))
  posthorn.clock.advance(60_000)
  const running = posthorn.runDueJobs()
  await until(() => handed.length === unrecordedMax)
  posthorn.drain()
  answer.resolve()
  await running
  assert.equal(handed.length, unrecordedMax)
  const other = await posthorn.another()
  posthorn.clock.advance(1000)
  await other.app.jobs.runDue()
  assert.equal(new Set(handed.map(({ emailId }) => emailId)).size, 80)
  assert.equal(handed.length, 80)
})

test('an email that waited for a connection until its lease was over is not handed over', async () => {
  const held: (() => void)[] = []
  const server = await startScriptedServer((verb, socket) => {
    // Without PIPELINING, so that a connection carries one message at a time.
    if (verb === 'EHLO') return '250 scripted\r\n'
    if (verb !== 'END') return undefined
    held.push(() => socket.write('250 2.0.0 taken\r\n'))
    return null
  })
  const pool = { connectionsMax: 1 }
  const provider = smtpProvider({ url: `smtp://127.0.0.1:${server.port}`, localName: 'posthorn.test', pool })
  after(() => server[Symbol.asyncDispose]())
  const posthorn = await createTestApp({}, { emailProvider: provider })
  const team = await posthorn.team()
  const answers = sendMany(team, 6)
  await until(() => held.length === 1 && provider.counters().waiting === 5)
  posthorn.clock.advance(posthorn.app.jobs.leaseMs)
  held[0]!()
  const statuses = (await Promise.all(answers)).map(({ body }) => body.status)
  assert.deepEqual(statuses.toSorted(), ['delayed', 'delayed', 'delayed', 'delayed', 'delayed', 'sent'])
  assert.equal(server.texts.length, 1)
})
