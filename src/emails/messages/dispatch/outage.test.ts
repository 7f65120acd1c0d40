// needs: waiting
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createTestApp, ok } from '../../../../test/app.ts'
import { databaseProxy } from '../../../../test/database-proxy.ts'
import { until } from '../../../../test/patience.ts'
import { slowTest } from '../../../../test/slow.ts'
import type { EmailProvider, OutboundMessage } from '../../provider.ts'
import { absent, accepted } from './fixtures/told-provider.ts'

/** An app whose database can be cut, and a provider that answers once `answer` is called. */
async function createShop(environment: Record<string, string> = {}, outcomeOf = accepted) {
  const handed: OutboundMessage[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const emailProvider: EmailProvider = {
    name: 'peer',
    signs: false,
    async send(message) {
      handed.push(message)
      await answered
      return outcomeOf(message)
    },
    close: async () => undefined,
  }
  const database = databaseProxy()
  after(() => database.close())
  const posthorn = await createTestApp(environment, { emailProvider, through: database.through })
  const team = await posthorn.team()
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x' }
  return { posthorn, team, email, database, handed, answer }
}

type Shop = Awaited<ReturnType<typeof createShop>>

/** Lets a worker hand a scheduled email over, and takes the database away before the provider answers. */
async function handOverThenCut({ posthorn, team, email, database, handed, answer }: Shop) {
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const { id } = await ok(team.api.post('/v1/emails', { ...email, scheduledAt }))
  posthorn.clock.advance(60_000)
  const running = posthorn.runDueJobs()
  running.catch(() => undefined)
  await until(() => handed.length === 1)
  database.cut()
  answer()
  await triedAgain(database)
  return { id: id as string, running }
}

async function triedAgain(database: Shop['database']) {
  const before = database.refused()
  await until(() => database.refused() > before)
}

/** Moves the time by which the wait for the database is measured. */
function passMinutes({ mock }: TestContext, minutes: number) {
  const real = performance.now.bind(performance)
  mock.method(performance, 'now', () => real() + minutes * 60_000)
}

slowTest(
  'an email that was answered while the database was gone for minutes is recorded, and not handed over again',
  async (context) => {
    const shop = await createShop()
    const { posthorn, team, database, handed } = shop
    const { id, running } = await handOverThenCut(shop)
    passMinutes(context, 2)
    await triedAgain(database)
    await triedAgain(database)
    posthorn.clock.advance(120_000)
    database.mend()
    await running
    await posthorn.runDueJobs()
    assert.equal(handed.length, 1)
    assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'sent')
  },
)

slowTest('a process that stops waits no longer than a minute for the database', async (context) => {
  const shop = await createShop()
  const { running } = await handOverThenCut(shop)
  passMinutes(context, 2)
  shop.posthorn.drain()
  await assert.rejects(running)
})

const outages = {
  'is gone': async (database: Shop['database'], answer: () => void) => {
    database.cut()
    answer()
    await triedAgain(database)
    database.mend()
  },
  'loses the answer to a commit': async (database: Shop['database'], answer: () => void) => {
    database.loseNextCommit()
    answer()
  },
}

for (const [what, bringAbout] of Object.entries(outages)) {
  test(`with EMAIL_UNREACHABLE=refuse a request is 502 though the database ${what}, and no worker sends its email`, async () => {
    const { posthorn, team, email, database, handed, answer } = await createShop(
      { EMAIL_UNREACHABLE: 'refuse' },
      absent,
    )
    const sending = team.api.post('/v1/emails', email)
    await until(() => handed.length === 1)
    await bringAbout(database, answer)
    const { status, body } = await sending
    assert.deepEqual([status, body.name], [502, 'provider_error'], JSON.stringify(body))
    await posthorn.runDueJobsAfter(posthorn.app.jobs.leaseMs)
    assert.equal((await ok(team.api.get('/v1/emails'))).total, 0)
    assert.equal(handed.length, 1)
  })
}

/** Sends a batch of two emails and a scheduled one, whose first email is refused once `answer` is called. */
async function refuseBatch() {
  const isFirst = ({ envelope }: OutboundMessage) => envelope.to[0] === 'first@example.com'
  const shop = await createShop({ EMAIL_UNREACHABLE: 'refuse' }, (message) =>
    isFirst(message) && shop.handed.filter(isFirst).length === 1 ? absent(message) : accepted(message),
  )
  const { posthorn, team, email, handed } = shop
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const emails = [{ ...email, to: ['first@example.com'] }, email, { ...email, scheduledAt }]
  const send = () => team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'batch' })
  const sending = send()
  await until(() => handed.length === 1)
  const sentLater = async () => {
    await posthorn.runDueJobsAfter(3_600_000)
    return handed.length - 1
  }
  return { ...shop, send, sending, sentLater }
}

const notSent = { error: 'The mail relay could not be reached. Nothing was sent for this email.', index: 0 }

for (const [what, bringAbout] of Object.entries(outages)) {
  slowTest(
    `with EMAIL_UNREACHABLE=refuse a batch is refused though the database ${what}, and no worker sends its emails`,
    async () => {
      const { team, database, answer, sending, sentLater, send } = await refuseBatch()
      await bringAbout(database, answer)
      const { status, body } = await sending
      assert.deepEqual([status, body], [400, notSent])
      assert.equal((await ok(team.api.get('/v1/emails'))).total, 0)
      assert.equal((await team.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 0)
      assert.equal((await send()).status, 200)
      // Those of the repeat.
      assert.equal(await sentLater(), 3)
    },
  )
}

slowTest('a repeat that waits for a refused batch whose withdrawal loses its answer is sent once', async () => {
  const { database, answer, sending, sentLater, send } = await refuseBatch()
  database.loseNextCommit()
  const waiting = send()
  answer()
  const { status, body } = await sending
  assert.deepEqual([status, body], [400, notSent])
  const { data } = await ok(waiting)
  assert.deepEqual((await ok(send())).data, data)
  assert.equal(await sentLater(), 3)
})

slowTest('a refused batch is 503 while the database is gone for long, and no worker sends its emails', async () => {
  const { posthorn, team, database, answer, sending, sentLater, send } = await refuseBatch()
  database.cut()
  answer()
  const { status, body } = await sending
  assert.deepEqual([status, body.name], [503, 'unavailable'])
  posthorn.clock.advance(posthorn.app.jobs.leaseMs + 1)
  database.mend()
  await posthorn.runDueJobs()
  await until(async () => (await team.api.get('/v1/emails')).body.total === 0)
  assert.equal((await send()).status, 200)
  // Those of the repeat.
  assert.equal(await sentLater(), 3)
})

slowTest('a request whose email was handed over is answered with its status though the database is gone', async () => {
  const shop = await createShop()
  const { posthorn, team, email, database, handed, answer } = shop
  const single = team.api.post('/v1/emails', email)
  await until(() => handed.length === 1)
  const emails = [email, email, { ...email, subject: 'Third' }]
  const batch = team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'one' })
  await until(() => handed.length === 2)
  database.cut()
  answer()
  const { id, status } = await ok(single)
  assert.equal(status, 'sent')
  const { data } = await ok(batch)
  assert.deepEqual(
    data.map((one: { status: string }) => one.status),
    ['sent', 'scheduled', 'scheduled'],
  )
  database.mend()
  posthorn.clock.advance(posthorn.app.jobs.leaseMs)
  await posthorn.runDueJobs()
  await until(async () => (await team.api.get(`/v1/emails/${id}`)).body.status === 'sent')
  const ids = [id, ...data.map((one: { id: string }) => one.id)]
  assert.deepEqual(handed.map(({ emailId }) => emailId).sort(), ids.sort())
  const again = await ok(team.api.post('/v1/emails/batch', { emails }, { 'idempotency-key': 'one' }))
  assert.deepEqual(
    again.data.map((one: { status: string }) => one.status),
    ['sent', 'sent', 'sent'],
  )
})
