import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { foldMetrics } from './fixtures/fold.ts'

const posthorn = await createTestApp()

function send({ api }: Pick<TestTeam, 'api'>, from: string) {
  return ok(api.post('/v1/emails', { from, to: ['ada@people.test'], subject: 'Hello', text: 'Hello' }))
}

/** The figures of the caller that are not zero. */
async function totalOf({ api }: Pick<TestTeam, 'api'>, query = ''): Promise<Record<string, number>> {
  const body = await ok(api.get(`/v1/metrics/emails${query}`))
  return Object.fromEntries(Object.entries<number>(body.total).filter(([, count]) => count !== 0))
}

test('what test keys send is not in the figures of the team, and has its own for them', async () => {
  const team = await posthorn.team()
  const testing = await team.newKey({ permission: 'full_access', mode: 'test' })
  const from = `a@${team.domain}`
  await send(team, from)
  await send(testing, from)
  await send(testing, from)
  assert.equal((await totalOf(team)).accepted, 1)
  assert.equal((await totalOf(testing, `?domainId=${team.domainId}`)).accepted, 2)
})

test('an email of a test key from a domain that the team does not own counts once, at once and when it is folded', async () => {
  const team = await posthorn.team()
  const testing = await team.newKey({ permission: 'full_access', mode: 'test' })
  await send(testing, 'a@anything.example')
  const figures = await totalOf(testing)
  assert.deepEqual([figures.accepted, figures.sent, figures.delivered], [1, 1, 1])
  await foldMetrics(posthorn.app)
  assert.deepEqual(await totalOf(testing), figures)
})
