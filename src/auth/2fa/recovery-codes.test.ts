import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { password, signUp, turnOnTwoFactor } from '../../../test/person.ts'

const posthorn = await createTestApp()

async function guarded() {
  const { email, api } = await signUp(posthorn)
  const { code, recoveryCodes: old } = await turnOnTwoFactor(posthorn, api)
  const login = async (tried: string) =>
    (await posthorn.anyone.post('/auth/login', { email, password, code: tried })).status
  return { api, code, login, old }
}

const replace = ({ api }: { api: Awaited<ReturnType<typeof guarded>>['api'] }, code: string) =>
  api.post('/auth/2fa/recovery-codes', { code })

test('a code gives ten new recovery codes, and the old ones end', async () => {
  const ada = await guarded()
  const { status, body } = await replace(ada, ada.code())
  assert.deepEqual([status, Object.keys(body)], [200, ['recoveryCodes']])
  assert.equal(new Set(body.recoveryCodes).size, 10)
  assert.deepEqual([await ada.login(ada.old[0]!), await ada.login(body.recoveryCodes[0])], [401, 200])
  assert.equal((await replace(ada, body.recoveryCodes[0])).status, 400, 'a used one is no code')
  assert.equal((await replace(ada, body.recoveryCodes[1])).status, 200, 'a recovery code is one too')
  const { data } = (await ada.api.get('/v1/audit?action=recovery_codes.replaced')).body
  assert.equal(data.length, 2)
})

test('a wrong or used code changes nothing, and five wrong ones make the session wait', async () => {
  const ada = await guarded()
  const used = ada.code()
  assert.equal((await replace(ada, used)).status, 200)
  for (const bad of [used, '000000', 'nonsense', ada.old[0]!, '111111']) {
    const { status, body } = await replace(ada, bad)
    assert.deepEqual([status, body.name], [400, 'invalid_two_factor_code'])
  }
  posthorn.clock.advance(30_000)
  assert.equal((await replace(ada, ada.code())).status, 429)
})

test('of several requests at once only the codes of one are good afterwards', async () => {
  const ada = await guarded()
  const answers = await Promise.all(ada.old.slice(0, 4).map((code) => replace(ada, code)))
  const sets = answers.filter(({ status }) => status === 200).map(({ body }) => body.recoveryCodes as string[])
  assert.equal(sets.length, 1, 'the other codes ended with the first request')
  assert.equal(await ada.login(sets[0]![0]!), 200)
})

test('without two-factor it is 409', async () => {
  const { api } = await signUp(posthorn)
  assert.equal((await api.post('/auth/2fa/recovery-codes', { code: '123456' })).status, 409)
})

test('the audit log says when two-factor was switched on and off', async () => {
  const ada = await guarded()
  assert.equal((await ada.api.post('/auth/2fa/disable', { code: ada.code() })).status, 200)
  const { data } = (await ada.api.get('/v1/audit')).body
  const actions = data.map(({ action }: { action: string }) => action).filter((name: string) => /^two_/.test(name))
  assert.deepEqual(actions, ['two_factor.disabled', 'two_factor.enabled'])
})
