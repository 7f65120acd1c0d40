import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { accepted, toldProvider } from './fixtures/told-provider.ts'

test('emails that end beside one that another process has taken over are recorded once, and it is not recorded at all', async () => {
  const { provider, handed, told } = toldProvider()
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
  told.answer = async (message) => {
    await answering
    return accepted(message)
  }
  const posthorn = await createTestApp({}, { emailProvider: provider })
  const team = await posthorn.team()
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x' }
  const answers = [1, 2, 3].map(() => team.api.post('/v1/emails', email))
  await until(() => handed.length === 3)
  const taken = handed[1]!.emailId
  await sql`update jobs set lease_token = gen_random_uuid() where key = ${taken}`.execute(posthorn.app.db)
  answer()
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
  for (const { emailId } of handed) {
    const { status } = await ok(team.api.get(`/v1/emails/${emailId}`))
    const events = await ok(team.api.get(`/v1/emails/${emailId}/events`))
    const types = events.map(({ type }: { type: string }) => type)
    assert.deepEqual([status, types], emailId === taken ? ['scheduled', []] : ['sent', ['sent']])
  }
  assert.equal(handed.length, 3)
})
