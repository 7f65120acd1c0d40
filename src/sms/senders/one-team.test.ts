import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestApp, type TestTeam } from '../../../test/app.ts'
import { reassignNumber } from '../../phone/assign.ts'
import { scriptedProvider } from '../fixtures/scripted-provider.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })
const captured = await createTestApp()
const path = '/v1/sms/senders'
const numbers = { long_code: '+61400000001', toll_free: '+18005550199', short_code: '12345' } as const

async function sender({ api }: TestTeam, senderType: string, senderId: string) {
  const made = await ok(api.post(path, { name: 'Shop', senderType, senderId }))
  const { id } = made
  return {
    verify: () => api.post(`${path}/${id}/verify`),
    status: async () => (await api.get(`${path}/${id}`)).body.status,
    remove: () => api.delete(`${path}/${id}`),
  }
}

const teamsOf = async (app: TestApp) => [await app.team(), await app.team()] as const

for (const [type, number] of Object.entries(numbers)) {
  test(`a ${type} of one team is not verified for another, and the provider is not asked`, async () => {
    const [owner, other] = await teamsOf(posthorn)
    const [theirs, mine] = [await sender(owner, type, number), await sender(other, type, number)]
    assert.equal((await theirs.verify()).body.status, 'active')
    provider.onRegister = () => assert.fail('asked')
    const refused = await mine.verify()
    assert.deepEqual([refused.status, refused.body.name, await mine.status()], [409, 'conflict', 'not_started'])
    provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
    assert.equal((await theirs.verify()).body.status, 'active')
    await theirs.remove()
    // Messages to the number belong to the first team, even if it has no sender.
    assert.equal((await mine.verify()).status, 409)
    const again = await sender(owner, type, number)
    assert.equal((await again.verify()).body.status, 'active')
  })
}

test('exactly one of two teams that verify a number at the same time gets it', async () => {
  const senders = []
  for (const team of await teamsOf(posthorn)) senders.push(await sender(team, 'long_code', '+61400000002'))
  const both = Promise.withResolvers<void>()
  let asked = 0
  provider.onRegister = async () => {
    if (++asked === 2) both.resolve()
    await both.promise
    return { kind: 'active', providerRef: 'ref' }
  }
  const answers = await Promise.all(senders.map(({ verify }) => verify()))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const statuses = await Promise.all(senders.map(({ status }) => status()))
  assert.deepEqual(statuses.sort(), ['active', 'not_started'])
})

test('a sender that is deleted while the provider is asked leaves its number to other teams', async () => {
  const [owner, other] = await teamsOf(posthorn)
  const [theirs, mine] = [
    await sender(owner, 'long_code', '+61400000005'),
    await sender(other, 'long_code', '+61400000005'),
  ]
  provider.onRegister = async () => {
    await ok(theirs.remove())
    return { kind: 'active', providerRef: 'ref' }
  }
  assert.equal((await theirs.verify()).status, 404)
  provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
  assert.equal((await ok(mine.verify())).status, 'active')
})

test('several teams can use the same name, and with capture the same number', async () => {
  for (const [app, type, senderId] of [
    [posthorn, 'alphanumeric_id', 'Shop'],
    [captured, 'long_code', '+61400000001'],
  ] as const) {
    for (const team of await teamsOf(app)) {
      const { verify } = await sender(team, type, senderId)
      assert.equal((await verify()).body.status, 'active')
    }
  }
})

test('a sender that became inactive does not give its number to the next team', async () => {
  const [owner, other] = await teamsOf(posthorn)
  const [theirs, mine] = [
    await sender(owner, 'long_code', '+61400000003'),
    await sender(other, 'long_code', '+61400000003'),
  ]
  provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
  await theirs.verify()
  await posthorn.app.db.updateTable('sms_senders').set({ status: 'failed' }).where('team_id', '=', owner.id).execute()
  assert.equal((await mine.verify()).status, 409)
})

test('with SENDER_NUMBERS=assigned only a number that the operator gave to the team is verified', async () => {
  const strict = await createTestApp({ SENDER_NUMBERS: 'assigned' }, { smsProvider: provider })
  const [owner, other] = await teamsOf(strict)
  const [theirs, mine] = [
    await sender(owner, 'long_code', '+61400000004'),
    await sender(other, 'long_code', '+61400000004'),
  ]
  provider.onRegister = () => assert.fail('asked')
  const refused = await mine.verify()
  assert.deepEqual([refused.status, await mine.status()], [409, 'not_started'])
  assert.match(refused.body.message, /not assigned to your team/)
  provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
  await reassignNumber(strict.app, { channel: 'sms', number: '+61400000004' }, other.id)
  assert.equal((await mine.verify()).body.status, 'active')
  // A number that is assigned to another team stops working here.
  await reassignNumber(strict.app, { channel: 'sms', number: '+61400000004' }, owner.id)
  assert.equal(await mine.status(), 'failed')
  assert.equal((await mine.verify()).status, 409)
  assert.equal((await theirs.verify()).body.status, 'active')
})
