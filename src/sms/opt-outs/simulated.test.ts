import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, createTestApp, type TestTeam } from '../../../test/app.ts'

const posthorn = await createTestApp()
const ada = '+61491570156'
const path = '/v1/sms/opt-outs'

const write = (api: Api, body: string, mode = '') =>
  api.post(`/providers/capture/sms${mode}`, { from: ada, to: '+61400000000', body })

/** Returns the ends of blocks that the audit log has, newest first. */
async function unblocked(team: TestTeam) {
  const { api } = await team.member('owner')
  const { data } = (await api.get('/v1/audit')).body
  type Entry = { action: string; actor: { id: string }; target: { name: string }; changes: object }
  return (data as Entry[])
    .filter(({ action }) => action.endsWith('.removed'))
    .map(({ action, actor, target, changes }) => [action, actor.id, target.name, changes])
}

const byKeyword = { reason: { from: 'keyword', to: null } }
const inTest = { mode: { from: 'test', to: null } }

test('a simulated START that ends an opt-out is in the audit log, and one that ends none is not', async () => {
  const team = await posthorn.team()
  const { id, api } = await team.newKey({ permission: 'full_access' })
  await write(api, 'STOP')
  await write(api, 'START')
  await write(api, 'START')
  assert.deepEqual((await api.get(path)).body.data, [])
  assert.deepEqual(await unblocked(team), [['sms_opt_out.removed', id, ada, byKeyword]])
})

test('a person whose role ends no opt-out simulates no START in live mode, and does in test mode', async () => {
  const team = await posthorn.team()
  const { body: blocked } = await team.api.post(path, { phoneNumber: ada })
  const { api: developer } = await team.member('developer')
  assert.equal((await developer.delete(`${path}/${blocked.id}`)).status, 403)
  for (const word of ['START', ' unstop ', 'Yes!']) {
    const refused = await write(developer, word)
    assert.deepEqual([refused.status, refused.body.name], [403, 'forbidden'], refused.text)
  }
  assert.equal((await team.api.get(path)).body.data.length, 1)
  assert.equal((await write(developer, 'STOP')).body.action, 'opted_out')
  assert.equal((await write(developer, 'Hello?')).status, 200)
  await write(developer, 'STOP', '?mode=test')
  assert.equal((await write(developer, 'START', '?mode=test')).body.action, 'opted_in')
  const { api: owner } = await team.member('owner')
  assert.equal((await write(owner, 'START')).body.action, 'opted_in')
  assert.deepEqual((await team.api.get(path)).body.data, [])
})

test('the end of a suppression or an opt-out in test mode is in the audit log, with the mode', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.key)
  const { body: suppressed } = await trial.post('/v1/suppressions', { email: 'ada@people.test' })
  await trial.delete(`/v1/suppressions/${suppressed.id}`)
  const { body: blocked } = await trial.post(path, { phoneNumber: ada })
  await trial.delete(`${path}/${blocked.id}`)
  await write(trial, 'STOP')
  await write(trial, 'START')
  const byHand = { reason: { from: 'manual', to: null }, ...inTest }
  assert.deepEqual(await unblocked(team), [
    ['sms_opt_out.removed', key.id, ada, { ...byKeyword, ...inTest }],
    ['sms_opt_out.removed', key.id, ada, byHand],
    ['suppression.removed', key.id, 'ada@people.test', byHand],
  ])
})
