import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, apiOf, createTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

type Made = (api: TestTeam['api'], number: number) => Promise<Answer>

/** The team starts with one key and one domain. */
const bounded: [limit: 'apiKeys' | 'domains' | 'webhookEndpoints', there: number, path: string, make: Made][] = [
  ['apiKeys', 1, '/v1/api-keys', (api, number) => api.post('/v1/api-keys', { name: `key ${number}` })],
  ['domains', 1, '/v1/domains', (api, number) => api.post('/v1/domains', { name: `d${number}.example.com` })],
  [
    'webhookEndpoints',
    0,
    '/v1/webhooks',
    (api) => api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/a', events: ['email.sent'] }),
  ],
]

for (const [limit, there, path, make] of bounded) {
  test(`exactly as many concurrent requests pass, across processes, as the plan allows ${limit}`, async () => {
    const team = await posthorn.team({ plan: 'free', limits: { [limit]: there + 5 } })
    const apis = [team.api, apiOf(other, team.key)]
    const answers = await Promise.all(Array.from({ length: 14 }, (_, number) => make(apis[number % 2]!, number)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(answers.length - refused.length, 5, refused[0]?.text)
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.name, body.limit, body.max], [422, 'plan_limit_exceeded', limit, there + 5])
      assert.match(body.message, new RegExp(`at most ${there + 5} .*\\(${limit}\\)\\. Delete one first`))
    }
    const { data } = (await team.api.get(path)).body
    assert.equal(data.length, there + 5)
    const [newest] = data
    assert.equal((await team.api.delete(`${path}/${newest.id}`)).status, 200)
    assert.equal((await make(team.api, 99)).status, 200)
  })
}

test('a free team has ten webhooks at most, separate from other teams', async () => {
  const [free, neighbour] = [await posthorn.team({ plan: 'free' }), await posthorn.team({ plan: 'free' })]
  const [, , , make] = bounded[2]!
  const answers: Answer[] = []
  for (let number = 0; number < 11; number++) answers.push(await make(free.api, number))
  assert.deepEqual(pluck(answers, 'status'), [...Array(10).fill(200), 422])
  assert.equal((await make(neighbour.api, 0)).status, 200)
})

slowTest('a free team adds thirty domains a minute at most, also when it deletes them again', async () => {
  const team = await posthorn.team({ plan: 'free', limits: { apiRequestsPerMinute: 1000 } })
  const statuses: number[] = []
  for (let number = 1; number <= 31; number++) {
    const { status, body, headers } = await team.api.post('/v1/domains', { name: `m${number}.example.com` })
    statuses.push(status)
    if (status === 200) await team.api.delete(`/v1/domains/${body.id}`)
    else assert.deepEqual([body.name, Number(headers['retry-after']) > 0], ['rate_limit_exceeded', true])
  }
  assert.deepEqual(statuses, [...Array(30).fill(200), 429])
  posthorn.clock.advance(60_000)
  assert.equal((await team.api.post('/v1/domains', { name: 'next.example.com' })).status, 200)
})
