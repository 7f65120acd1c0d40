import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { scriptedProvider } from '../fixtures/scripted-provider.ts'
import type { SmsRegistrationAnswer } from '../provider.ts'
import type { SmsSenderStatus } from './table.ts'
import { verifySender } from './verify.ts'

const provider = scriptedProvider()
const posthorn = await createTestApp({}, { smsProvider: provider })
const team = await posthorn.team()
const path = '/v1/sms/senders'

async function sender(change: Record<string, unknown> = {}) {
  const made = await ok(team.api.post(path, { name: 'Shop', senderId: `S${++count}`, ...change }))
  return made
}
let count = 0

function setStatus(id: string, status: SmsSenderStatus) {
  return posthorn.app.db.updateTable('sms_senders').set({ status }).where('id', '=', id).execute()
}

test('a sender begins as not_started, with the defaults and exactly the specified fields', async () => {
  const { id, createdAt, updatedAt, ...rest } = await sender({ senderId: 'Posthorn' })
  assert.deepEqual(rest, {
    name: 'Shop',
    senderId: 'Posthorn',
    senderType: 'alphanumeric_id',
    status: 'not_started',
    defaultMessageType: 'transactional',
    country: 'AU',
    providerRef: null,
    rejectionReason: null,
  })
  assert.equal(createdAt, updatedAt)
  assert.deepEqual((await team.api.get(`${path}/${id}`)).body, { id, ...rest, createdAt, updatedAt })
  assert.equal((await team.api.get(path)).body.data[0].id, id)
})

const forms: [senderType: string | undefined, senderId: string, isGood: boolean][] = [
  [undefined, 'A', true],
  [undefined, 'My Shop 24', true],
  [undefined, 'Elevenchars', true],
  [undefined, 'Twelve chars', false],
  [undefined, '12345', false],
  [undefined, 'Shop!', false],
  [undefined, 'Größe', false],
  [undefined, ' ', false],
  ['long_code', '+61400000000', true],
  ['long_code', '61400000000', false],
  ['long_code', '+123456', false],
  ['toll_free', '+18005550199', true],
  ['toll_free', '+12025550123', false],
  ['short_code', '1234', true],
  ['short_code', '123456', true],
  ['short_code', '123', false],
  ['short_code', '1234567', false],
  ['short_code', '12a4', false],
  ['carrier_pigeon', 'Shop', false],
]
for (const [senderType, senderId, isGood] of forms) {
  test(`"${senderId}" ${isGood ? 'is' : 'is no'} ${senderType ?? 'alphanumeric_id (the default)'}`, async () => {
    const { api } = await posthorn.team()
    const made = await api.post(path, { name: 'Shop', senderId, ...(senderType && { senderType }) })
    assert.equal(made.status, isGood ? 200 : 400, made.text)
  })
}

test('the country is one of ISO 3166-1, in capitals', async () => {
  for (const country of ['ZZ', 'au', 'AUS', 'UK', '']) {
    const made = await team.api.post(path, { name: 'Shop', senderId: 'Country', country })
    assert.equal(made.status, 400, country)
  }
  assert.equal((await sender({ country: 'GB' })).country, 'GB')
})

test('a sender ID is unique in a team, and another team can use it too', async () => {
  await sender({ senderId: 'Twice' })
  const again = await team.api.post(path, { name: 'Other', senderId: 'Twice' })
  assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
  const { api } = await posthorn.team()
  assert.equal((await api.post(path, { name: 'Other', senderId: 'Twice' })).status, 200)
})

test('name and default message type can change, and nothing else', async () => {
  const { id } = await sender()
  posthorn.clock.advance(1000)
  const changed = await team.api.patch(`${path}/${id}`, { name: 'Store', defaultMessageType: 'promotional' })
  assert.deepEqual([changed.body.name, changed.body.defaultMessageType], ['Store', 'promotional'])
  assert.ok(changed.body.updatedAt > changed.body.createdAt)
  for (const change of [{ senderId: 'X' }, { senderType: 'long_code' }, { country: 'US' }, { status: 'active' }, {}]) {
    assert.equal((await team.api.patch(`${path}/${id}`, change)).status, 400, JSON.stringify(change))
  }
})

for (const before of ['not_started', 'pending', 'failed', 'rejected'] as const) {
  test(`verifying a sender that is ${before} registers it; while the provider is asked it is pending`, async () => {
    const { id } = await sender()
    await setStatus(id, before)
    let seen = ''
    provider.onRegister = async () => {
      seen = (await team.api.get(`${path}/${id}`)).body.status
      return { kind: 'active', providerRef: 'ref-7' }
    }
    const verified = await ok(team.api.post(`${path}/${id}/verify`))
    assert.deepEqual([seen, verified.status, verified.providerRef], ['pending', 'active', 'ref-7'])
  })

  test(`a sender that was ${before} does not change if the provider is out of reach`, async () => {
    const { id } = await sender()
    await setStatus(id, before)
    provider.onRegister = () => ({ kind: 'unavailable', message: 'Out of reach.' })
    const verified = await team.api.post(`${path}/${id}/verify`)
    assert.deepEqual([verified.status, verified.body.name], [502, 'provider_error'])
    assert.equal((await team.api.get(`${path}/${id}`)).body.status, before)
  })
}

test('a registration that fails says why, and can be tried again', async () => {
  const { id } = await sender()
  provider.onRegister = () => ({ kind: 'failed', reason: 'Not yours.' })
  const failed = await team.api.post(`${path}/${id}/verify`)
  assert.deepEqual([failed.status, failed.body.status, failed.body.rejectionReason], [200, 'failed', 'Not yours.'])
  provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
  const verified = await team.api.post(`${path}/${id}/verify`)
  assert.deepEqual([verified.body.status, verified.body.rejectionReason], ['active', null])
})

test('verifying an active sender answers it as it is, and the provider is not asked', async () => {
  const { id } = await sender()
  await setStatus(id, 'active')
  provider.onRegister = () => assert.fail('asked')
  assert.equal((await team.api.post(`${path}/${id}/verify`)).body.status, 'active')
})

test('a suspended sender is refused and stays suspended, even if it is suspended while the provider is asked', async () => {
  const { id } = await sender()
  await setStatus(id, 'suspended')
  assert.equal((await team.api.post(`${path}/${id}/verify`)).status, 400)
  await setStatus(id, 'not_started')
  provider.onRegister = async () => {
    await setStatus(id, 'suspended')
    return { kind: 'active', providerRef: 'ref' }
  }
  assert.equal((await team.api.post(`${path}/${id}/verify`)).body.status, 'suspended')
  assert.equal((await team.api.delete(`${path}/${id}`)).status, 409)
})

/** Asks another process to verify a sender that is being verified, and returns once that waits for the outcome. */
async function joining(id: string) {
  const { app } = await posthorn.another()
  const joined = Promise.withResolvers<void>()
  const { transaction } = app
  app.transaction = (work) => transaction(work).finally(joined.resolve)
  const outcome = verifySender(app, team.id, id)
  await joined.promise
  app.transaction = transaction
  return { outcome }
}

test('requests to verify a sender at once share one registration, and both answer its outcome', async () => {
  for (const [outcome, wanted] of [
    [{ kind: 'active', providerRef: 'ref' }, 'active'],
    [{ kind: 'failed', reason: 'Late.' }, 'failed'],
  ] satisfies [SmsRegistrationAnswer, string][]) {
    const { id } = await sender()
    const [asked, ended] = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
    let times = 0
    provider.onRegister = async () => {
      times++
      asked!.resolve()
      await ended!.promise
      return outcome
    }
    const first = team.api.post(`${path}/${id}/verify`)
    await asked!.promise
    const second = await joining(id)
    ended!.resolve()
    assert.deepEqual([(await first).body.status, (await second.outcome).status, times], [wanted, wanted, 1])
  }
})

for (const before of ['not_started', 'failed', 'rejected'] as const) {
  test(`a request that waited for another asks the provider itself if that left the sender ${before} as it was`, async () => {
    const { id } = await sender()
    if (before !== 'not_started') {
      provider.onRegister = () => ({ kind: before, reason: 'Wrong before.' })
      await ok(team.api.post(`${path}/${id}/verify`))
    }
    const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    provider.onRegister = () => {
      asked.resolve()
      return ended.promise.then(() => ({ kind: 'unavailable', message: 'Out of reach.' }))
    }
    const first = team.api.post(`${path}/${id}/verify`)
    await asked.promise
    const second = await joining(id)
    ended.resolve()
    const refused = assert.rejects(second.outcome, /Out of reach/)
    assert.equal((await first).status, 502)
    await refused
    assert.equal((await team.api.get(`${path}/${id}`)).body.status, before)
  })
}

test('a sender whose process died while it was verified is settled by another process', async () => {
  const other = await posthorn.another()
  const outcomes: [SmsRegistrationAnswer, string][] = [
    [{ kind: 'active', providerRef: 'ref' }, 'active'],
    [{ kind: 'rejected', reason: 'No.' }, 'rejected'],
    [{ kind: 'unavailable', message: 'Out of reach.' }, 'not_started'],
  ]
  for (const [answer, status] of outcomes) {
    const { id } = await sender()
    const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<SmsRegistrationAnswer>()]
    provider.onRegister = () => {
      asked.resolve()
      return late.promise
    }
    const verifying = team.api.post(`${path}/${id}/verify`)
    await asked.promise
    provider.onRegister = () => answer
    posthorn.clock.advance(posthorn.app.jobs.leaseMs)
    await other.app.jobs.runDue()
    assert.equal((await team.api.get(`${path}/${id}`)).body.status, status)
    late.resolve({ kind: 'failed', reason: 'Too late to count.' })
    assert.equal((await verifying).body.status, status)
  }
})

test('a sender that the carrier does not allow is rejected, says why, and can be verified again', async () => {
  const { id } = await sender()
  provider.onRegister = () => ({ kind: 'rejected', reason: 'The country wants a registration.' })
  const { status, body } = await team.api.post(`${path}/${id}/verify`)
  assert.deepEqual([status, body.status, body.rejectionReason], [200, 'rejected', 'The country wants a registration.'])
  provider.onRegister = () => ({ kind: 'active', providerRef: 'ref' })
  const verified = await team.api.post(`${path}/${id}/verify`)
  assert.deepEqual([verified.body.status, verified.body.rejectionReason], ['active', null])
})

test('an unused sender can be deleted; one that sent something cannot', async () => {
  const [unused, used] = [await sender(), await sender()]
  assert.deepEqual((await team.api.delete(`${path}/${unused.id}`)).body, { id: unused.id, deleted: true })
  assert.equal((await team.api.get(`${path}/${unused.id}`)).status, 404)
  await setStatus(used.id, 'active')
  await ok(team.api.post('/v1/sms', { to: '+61400000000', body: 'Hello', senderId: used.id }))
  const refused = await team.api.delete(`${path}/${used.id}`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
})
