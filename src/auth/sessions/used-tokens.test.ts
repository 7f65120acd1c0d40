import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { apiOf, createTestApp, ok, testSecret } from '../../../test/app.ts'
import { forAllAsync } from '../../../test/for-all.ts'
import { signUp } from '../../../test/person.ts'
import { propertyTest } from '../../../test/slow.ts'
import { createKeyring } from '../../platform/keys/keyring.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '1000000' })
const other = await posthorn.another()
const processes = [posthorn.anyone, apiOf(other, null)]

/** A login of a person with two teams. `switchTo` changes between them. */
async function login() {
  const ada = await signUp(posthorn)
  const { body: engines } = await ada.api.post('/auth/teams', { name: 'Engines' })
  const teams: string[] = [ada.team.id, engines.id]
  const switchTo = async (accessToken: string, team: number) => {
    const answer = await ok(posthorn.as(accessToken).post('/auth/switch', { teamId: teams[team] }))
    return answer
  }
  return { ...ada, teams, switchTo }
}

const refresh = (refreshToken: string, process = 0) => processes[process]!.post('/auth/refresh', { refreshToken })

test('a refresh token works again within ten seconds, though the session was switched since', async () => {
  const { refreshToken, accessToken, teams, switchTo } = await login()
  assert.equal((await refresh(refreshToken)).status, 200)
  const switched = await switchTo(accessToken, 1)
  posthorn.clock.advance(10_000)
  const again = await refresh(refreshToken)
  assert.deepEqual([again.status, again.body.team?.id], [200, teams[1]], again.text)
  assert.equal(again.body.refreshToken, switched.refreshToken, 'a login has one live token')
})

test('a refresh token works again within ten seconds of its first use, though its successors were used', async () => {
  const { refreshToken } = await login()
  const second = await refresh(refreshToken)
  const third = await refresh(second.body.refreshToken, 1)
  posthorn.clock.advance(9_000)
  const again = await refresh(refreshToken, 1)
  assert.deepEqual([again.status, again.body.refreshToken], [200, third.body.refreshToken])
  posthorn.clock.advance(1_001)
  assert.equal((await refresh(refreshToken)).status, 401, 'the ten seconds do not start anew')
  assert.equal((await refresh(third.body.refreshToken)).status, 401)
})

test('requests with one refresh token at once all succeed on several processes, among switches', async () => {
  const { refreshToken, accessToken, switchTo } = await login()
  const refreshes = Array.from({ length: 6 }, (_, n) => refresh(refreshToken, n % 2))
  const switches = [1, 0, 1].map((team) => switchTo(accessToken, team))
  const answers = await Promise.all(refreshes)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await Promise.all(switches)
  for (const { body } of answers) assert.equal((await refresh(body.refreshToken)).status, 200)
})

test('a refresh token works again within ten seconds, though the secret was changed meanwhile', async () => {
  const { refreshToken } = await login()
  assert.equal((await refresh(refreshToken)).status, 200)
  const keyring = createKeyring(['a newer secret, of thirty-two bytes and more', testSecret])
  const restarted = apiOf(await posthorn.another({ keyring }), null)
  const second = await restarted.post('/auth/refresh', { refreshToken })
  const next = await restarted.post('/auth/refresh', { refreshToken: second.body.refreshToken })
  const again = await restarted.post('/auth/refresh', { refreshToken })
  assert.deepEqual([again.status, again.body.refreshToken], [200, next.body.refreshToken])
})

test('a login is refreshed a hundred times in ten seconds at most', async () => {
  let { refreshToken } = await login()
  for (let time = 0; time < 100; time++) refreshToken = (await refresh(refreshToken)).body.refreshToken
  const refused = await refresh(refreshToken)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
  posthorn.clock.advance(10_001)
  assert.equal((await refresh(refreshToken)).status, 200)
})

const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('refresh' as const), which: fc.nat(3), process: fc.nat(1) }),
    fc.record({ does: fc.constant('switch' as const), team: fc.nat(1) }),
    fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 3_000, 5_000, 10_000) }),
  ),
  { minLength: 3, maxLength: 12 },
)

propertyTest(
  'in any order of refreshes and switches a token works for ten seconds after its use, and later ends the login',
  async () => {
    await forAllAsync(100, steps, async (order) => {
      const { teams, switchTo, ...first } = await login()
      // Newest first. `usedAt` is when a token was used or replaced.
      const tokens: { text: string; usedAt?: number }[] = [{ text: first.refreshToken }]
      let [team, accessToken] = [0, first.accessToken]
      for (const step of order) {
        const now = posthorn.clock.now().getTime()
        if (step.does === 'wait') posthorn.clock.advance(step.ms)
        if (step.does === 'switch') {
          const { refreshToken } = await switchTo(accessToken, step.team)
          team = step.team
          tokens[0]!.usedAt = now
          tokens.unshift({ text: refreshToken })
        }
        if (step.does === 'refresh') {
          const token = tokens[step.which % tokens.length]!
          const { status, body } = await refresh(token.text, step.process)
          if (token.usedAt !== undefined && now - token.usedAt > 10_000) {
            assert.equal(status, 401)
            assert.equal((await refresh(tokens[0]!.text)).status, 401, 'the login has ended')
            return
          }
          assert.deepEqual([status, body.team?.id], [200, teams[team]])
          if (token === tokens[0]) {
            token.usedAt = now
            tokens.unshift({ text: body.refreshToken })
          }
          assert.equal(body.refreshToken, tokens[0]!.text)
          accessToken = body.accessToken
        }
      }
    })
  },
)
