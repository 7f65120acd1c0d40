import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run, runWith } = await createCommandLine()
posthorn.clock.set(new Date())

slowTest('seed makes a team whose owner can sign in with the printed password, and sees the data', async () => {
  const { code, stdout, stderr } = await run('seed')
  assert.equal(code, 0, stderr)
  assert.deepEqual([stdout.split('\n').length, stdout.includes('\r')], [5, false])
  const [, email, password] = /as (\S+) with the password (\S+)\.$/m.exec(stdout) ?? assert.fail(stdout)
  const body = await ok(posthorn.anyone.post('/auth/login', { email, password }))
  const owner = posthorn.as(body.accessToken)
  const totals = await Promise.all(
    ['emails', 'inbox'].map(async (list) => (await owner.get(`/v1/${list}`)).body.data.length),
  )
  assert.deepEqual(totals, [8, 8])
  const [, key] = /^Its API key is (\S+)\.$/m.exec(stdout) ?? assert.fail(stdout)
  assert.equal((await posthorn.as(key!).get('/v1/contacts')).body.data.length, 8)
})

slowTest('seed --team adds the data to a team that exists, twice if it is run twice', async () => {
  const team = await posthorn.team()
  for (const times of [1, 2]) {
    const { code, stdout, stderr } = await run('seed', '--team', team.id)
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stdout, /password|ph_/)
    assert.equal((await team.api.get('/v1/emails')).body.data.length, 8 * times)
    assert.equal((await team.api.get('/v1/templates')).body.data.length, times)
  }
})

test('seed refuses what it cannot use, and adds nothing', async () => {
  const unknown = '018f3c2e-0000-7000-8000-000000000000'
  const missing = await run('seed', '--team', unknown)
  assert.deepEqual(
    [missing.code, missing.stderr],
    [1, `posthorn: there is no team ${unknown}; see: posthorn team list\n`],
  )
  assert.equal((await run('seed', '--team', 'mine')).code, 2)
  const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: 'smtp://127.0.0.1:2525' }
  const { code, stderr } = await runWith(relay, 'seed')
  assert.equal(code, 1)
  assert.match(stderr, /EMAIL_PROVIDER is smtp; it needs capture/)
})
