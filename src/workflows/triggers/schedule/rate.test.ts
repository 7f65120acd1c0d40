import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Answer, sharedTestApp, type TestTeam } from '../../../../test/app.ts'
import { forAll } from '../../../../test/for-all.ts'
import { slowTest } from '../../../../test/slow.ts'
import { nextDue } from './due.ts'
import { firesPerMinute } from './rate.ts'

const posthorn = await sharedTestApp()

async function draft({ api }: TestTeam, cron: string): Promise<string> {
  const { body } = await api.post('/v1/workflows', { name: 'Scheduled' })
  const nodes = [{ id: 'n0', type: 'schedule', config: { cron } }]
  await api.patch(`/v1/workflows/${body.id}`, { nodes, connections: [] })
  return `/v1/workflows/${body.id}`
}

const activate = ({ api }: TestTeam, path: string): Promise<Answer> => api.post(`${path}/activate`)

test('a team on the free plan cannot activate a schedule of every second', async () => {
  const team = await posthorn.team({ plan: 'free', limits: { apiRequestsPerMinute: 1000 } })
  const path = await draft(team, '* * * * * *')
  const { status, body } = await activate(team, path)
  assert.deepEqual([status, body.name, body.limit, body.max], [422, 'plan_limit_exceeded', 'schedulesPerMinute', 10])
  assert.match(body.message, /there would be 60\. Let it fire less often/)
  assert.equal((await team.api.get(path)).body.status, 'draft')
})

test('schedules activated at the same moment cannot exceed the plan, and a deactivated one no longer counts', async () => {
  const team = await posthorn.team({ limits: { schedulesPerMinute: 3 } })
  const paths: string[] = []
  for (let made = 0; made < 7; made++) paths.push(await draft(team, '* * * * *'))
  const answers = await Promise.all(paths.map((path) => activate(team, path)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 422, 422, 422, 422])
  const [active, waiting] = [200, 422].map((wanted) => paths[answers.findIndex(({ status }) => status === wanted)]!)
  await activate(team, active!)
  for (let fifth = 0; fifth < 5; fifth++) {
    assert.equal((await activate(team, await draft(team, '*/5 * * * *'))).status, 200)
  }
  assert.equal((await activate(team, waiting!)).status, 422)
  for (const path of paths) if ((await team.api.get(path)).body.status === 'active') await activate(team, path)
})

const value = (max: number) => fc.integer({ min: 0, max })
const field = fc.oneof(
  fc.constant('*'),
  value(59).map(String),
  fc.integer({ min: 1, max: 59 }).map((step) => `*/${step}`),
  fc
    .tuple(value(30), value(29), fc.integer({ min: 1, max: 9 }))
    .map(([first, more, step]) => `${first}-${first + more}/${step}`),
  fc.tuple(value(30), value(29)).map(([first, more]) => `${first}-${first + more}`),
)
const list = fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => fields.join(','))

slowTest('the rate is the number of due times in an hour, divided by sixty', () => {
  forAll(12, fc.option(list), list, (second, minute) => {
    const config = { cron: [...(second === null ? [] : [second]), minute, '* * * *'].join(' ') }
    const [start, end] = [new Date('2030-01-01T00:59:59.999Z'), new Date('2030-01-01T01:59:59.999Z')]
    let count = 0
    for (let at = nextDue(config, start); at && at <= end; at = nextDue(config, at)) count++
    assert.equal(Math.round(firesPerMinute(config) * 60), count, config.cron)
  })
})
