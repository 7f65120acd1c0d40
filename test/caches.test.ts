import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { createTestApp } from './app.ts'
import { slowTest } from './slow.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '100000' })
const team = await posthorn.team()
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Paths whose answers are the same for every caller and contain no caller's data. */
const keepable = /^\/(openapi(-3\.0)?\.json|docs|docs\/reference\.js)$/

slowTest('caches keep neither the answers nor the refusals of a route', async () => {
  const ending = routes.filter(({ produces }) => produces !== 'text/event-stream')
  for (const { method, path } of ending.filter((route) => !keepable.test(route.path))) {
    const url = path.replaceAll(/:\w+/g, id)
    for (const headers of [{}, { authorization: `Bearer ${team.key}` }]) {
      const answer = await posthorn.server.inject({ method, url, headers })
      assert.equal(answer.headers['cache-control'], 'no-store', `${method} ${path}: ${answer.statusCode}`)
    }
  }
  const unknown = await posthorn.anyone.get('/v1/nowhere')
  assert.deepEqual([unknown.status, unknown.headers['cache-control']], [404, 'no-store'])
})

test('no cache keeps a secret that is shown once', async () => {
  const credential = { name: 'Warehouse', type: 'bearer', secret: { token: 'x' } }
  const made = await Promise.all([
    team.api.post('/v1/api-keys', { name: 'Another' }),
    team.api.post('/v1/webhooks', { endpointUrl: 'https://example.com/hook', events: ['email.sent'] }),
    team.api.post('/v1/credentials', credential),
    posthorn.anyone.post('/auth/signup', { email: 'ada@people.test', password: 'correct horse battery' }),
  ])
  const session = posthorn.as(made[3].body.accessToken)
  const secrets = [...made, await session.post('/auth/2fa/setup'), await session.get('/auth/me')]
  for (const answer of secrets) {
    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})
