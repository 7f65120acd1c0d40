import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCommandLine } from './command-line.ts'

const { app, team, json, runIn } = await newCommandLine()

type Check = { name: string; ok: boolean; hint: string | null }

async function checksWith(env: Record<string, string>): Promise<{ code: number; checks: Check[] }> {
  const { code, stdout } = await runIn({ env }, 'doctor', '--json')
  return { code, checks: JSON.parse(stdout).checks }
}

test('doctor checks the server, its version and clock, the key and the domains', async () => {
  const { checks } = (await json('doctor')) as { checks: Check[] }
  assert.deepEqual(
    checks.map(({ name, ok }) => [name, ok]),
    ['server', 'version', 'ready', 'clock', 'key', 'domain'].map((name) => [name, true]),
  )
  assert.deepEqual(Object.keys(checks[0]!), ['name', 'ok', 'hint'])
  assert.match(checks[4]!.hint!, /full_access/)
  assert.match(checks[5]!.hint!, new RegExp(team.domain))
})

test('doctor says what to do about a bad key, a key that is missing and a domain that is not verified', async () => {
  const bad = await checksWith({ POSTHORN_API_KEY: `ph_${'0'.repeat(40)}` })
  assert.deepEqual([bad.code, bad.checks.at(-1)!.name, bad.checks.at(-1)!.ok], [3, 'key', false])
  assert.match(bad.checks.at(-1)!.hint!, /posthorn login/)
  const none = await checksWith({})
  assert.deepEqual([none.code, none.checks.at(-1)!.name], [3, 'key'])
  const other = await app.team()
  await other.api.delete(`/v1/domains/${other.domainId}`)
  const bare = await checksWith({ POSTHORN_API_KEY: other.key })
  assert.deepEqual([bare.code, bare.checks.at(-1)!.name, bare.checks.at(-1)!.ok], [1, 'domain', false])
  assert.match(bare.checks.at(-1)!.hint!, /posthorn domains add/)
  const { body } = await other.api.post('/v1/api-keys', { name: 'T', mode: 'test', permission: 'full_access' })
  const trial = await checksWith({ POSTHORN_API_KEY: body.key })
  assert.deepEqual([trial.code, trial.checks.at(-1)!.name, trial.checks.at(-1)!.ok], [0, 'domain', true])
})

test('the key of doctor is never printed', async () => {
  const { stdout, stderr } = await runIn({}, 'doctor')
  assert.ok(!`${stdout}${stderr}`.includes(team.key))
  assert.match(stdout, /^ok {3}server: /)
})

test('doctor asks the server of a named profile, and its exit code is that of the other commands', async () => {
  await runIn({ env: {} }, 'login', '--url', 'http://saved.test', '--key', team.key, '--profile', 'saved')
  const env = { POSTHORN_URL: 'http://other.test' }
  const { code, stdout } = await runIn({ env }, 'doctor', '--profile', 'saved', '--json')
  assert.deepEqual([code, JSON.parse(stdout).checks[0].hint], [0, 'http://saved.test'])
})
