import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { assignNumber, releaseNumber } from '../../phone/assign.ts'
import { newNumber, obedientProvider, openShop, webhookSecret } from '../fixtures/shop.ts'
import type { WhatsappRegistrationAnswer } from '../provider.ts'
import type { WhatsappSenderStatus } from './table.ts'

const { provider } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })
const captured = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

let ids = 0
const newIds = () => ({ wabaId: `waba-${++ids}`, phoneNumberId: `phone-${ids}` })

async function makeSender(fields: object = newIds()) {
  const { api, id: teamId } = await posthorn.team()
  const made = await ok(api.post('/v1/whatsapp/senders', { name: 'Shop', phoneNumber: newNumber(), ...fields }))
  const path = `/v1/whatsapp/senders/${made.id}`
  const setStatus = (status: WhatsappSenderStatus) =>
    posthorn.app.db
      .updateTable('whatsapp_senders')
      .set({ status })
      .where('team_id', '=', teamId)
      .where('id', '=', made.id)
      .execute()
  return { api, made, path, setStatus, verify: () => api.post(`${path}/verify`), read: () => ok(api.get(path)) }
}

function registerAs(answer: WhatsappRegistrationAnswer | (() => Promise<WhatsappRegistrationAnswer>)): void {
  provider.registerSender = async () => (typeof answer === 'function' ? answer() : answer)
}

test('a sender begins unverified, and reads back as written', async () => {
  const { api } = await posthorn.team()
  const phoneNumber = newNumber()
  const { id, ...made } = await ok(api.post('/v1/whatsapp/senders', { name: 'Shop', phoneNumber }))
  const at = posthorn.clock.now().toISOString()
  assert.deepEqual(made, {
    ...{ name: 'Shop', phoneNumber, displayName: null, status: 'not_started', phoneNumberId: null, wabaId: null },
    ...{ rejectionReason: null, createdAt: at, updatedAt: at },
  })
  posthorn.clock.advance(1000)
  const change = { name: 'Help', displayName: 'The Shop', ...newIds() }
  const changed = await ok(api.patch(`/v1/whatsapp/senders/${id}`, change))
  assert.deepEqual(changed, { id, ...made, ...change, updatedAt: posthorn.clock.now().toISOString() })
  const second = await ok(api.post('/v1/whatsapp/senders', { name: 'Two', phoneNumber: newNumber() }))
  assert.deepEqual((await ok(api.get('/v1/whatsapp/senders'))).data, [second, changed])
  assert.deepEqual(await ok(api.delete(`/v1/whatsapp/senders/${id}`)), { id, deleted: true })
  assert.equal((await api.get(`/v1/whatsapp/senders/${id}`)).status, 404)
})

test('an invalid value is refused, naming the field', async () => {
  const { api, made, path } = await makeSender()
  const { phoneNumber } = made
  const refused: [object, string][] = [
    [{ phoneNumber: newNumber() }, 'name'],
    [{ name: 'x' }, 'phoneNumber'],
    [{ name: 'x', phoneNumber: '447700900123' }, 'phoneNumber'],
    [{ name: 'x', phoneNumber: '+0447700900123' }, 'phoneNumber'],
    [{ name: 'x', phoneNumber: newNumber(), status: 'active' }, 'status'],
    [{ name: '', phoneNumber: newNumber() }, 'name'],
    [{ name: 'x', phoneNumber: newNumber(), wabaId: 5 }, 'wabaId'],
  ]
  for (const [body, field] of refused) {
    const answer = await api.post('/v1/whatsapp/senders', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, field], JSON.stringify(body))
  }
  for (const body of [{}, { phoneNumber: newNumber() }, { name: null }, { status: 'active' }]) {
    assert.equal((await api.patch(path, body)).status, 400, JSON.stringify(body))
  }
  const twice = await api.post('/v1/whatsapp/senders', { name: 'Again', phoneNumber })
  assert.deepEqual([twice.status, twice.body.name], [409, 'conflict'])
  const { api: other } = await posthorn.team()
  assert.equal((await other.post('/v1/whatsapp/senders', { name: 'Theirs', phoneNumber })).status, 200)
})

test('verification ends as the provider answers, and can be begun again after a failure', async () => {
  const { verify } = await makeSender()
  registerAs({ kind: 'rejected', reason: 'The name is not allowed' })
  const rejected = await ok(verify())
  assert.deepEqual([rejected.status, rejected.rejectionReason], ['rejected', 'The name is not allowed'])
  registerAs({ kind: 'failed', reason: 'Wrong PIN' })
  const failed = await ok(verify())
  assert.deepEqual([failed.status, failed.rejectionReason], ['failed', 'Wrong PIN'])
  registerAs({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
  const unavailable = await verify()
  assert.deepEqual([unavailable.status, unavailable.body.name], [502, 'provider_error'])
  registerAs({ kind: 'active' })
  const active = await ok(verify())
  assert.deepEqual([active.status, active.rejectionReason], ['active', null])
})

test('a sender does not change if the provider is out of reach', async () => {
  for (const before of ['not_started', 'failed', 'rejected'] as const) {
    const { verify, read, setStatus } = await makeSender()
    await setStatus(before)
    registerAs({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
    assert.equal((await verify()).status, 502)
    assert.equal((await read()).status, before)
  }
})

test('a sender can be verified only from not_started, failed and rejected', async () => {
  registerAs({ kind: 'active' })
  const answers: [WhatsappSenderStatus, object, number][] = [
    ['not_started', {}, 400],
    ['failed', { wabaId: 'w' }, 400],
    ['rejected', { phoneNumberId: 'only-phone' }, 400],
    ['pending', newIds(), 409],
    ['active', newIds(), 409],
    ['suspended', newIds(), 400],
    ['suspended', {}, 400],
    ['not_started', newIds(), 200],
    ['failed', newIds(), 200],
    ['rejected', newIds(), 200],
  ]
  for (const [status, fields, expected] of answers) {
    const { verify, read, setStatus } = await makeSender(fields)
    await setStatus(status)
    const answer = await verify()
    assert.equal(answer.status, expected, `${status} ${JSON.stringify(fields)}: ${answer.text}`)
    assert.equal((await read()).status, expected === 200 ? 'active' : status)
  }
})

test('a sender is pending while the provider is asked; of many requests one verifies it, and the others are 409', async () => {
  const { verify, read, api, path } = await makeSender()
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<WhatsappRegistrationAnswer>()]
  let calls = 0
  registerAs(() => {
    calls++
    asked.resolve()
    return answered.promise
  })
  const all = Promise.all(Array.from({ length: 5 }, verify))
  await asked.promise
  assert.equal((await read()).status, 'pending')
  assert.equal((await api.patch(path, { wabaId: 'other' })).status, 409)
  assert.equal((await api.patch(path, { name: 'Renamed' })).status, 200)
  answered.resolve({ kind: 'active' })
  assert.deepEqual((await all).map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
  assert.deepEqual([(await read()).status, calls], ['active', 1])
})

test('a sender whose process died while it was verified is settled by another', async () => {
  const other = await posthorn.another()
  for (const [answer, status] of [
    [{ kind: 'active' }, 'active'],
    [{ kind: 'rejected', reason: 'No' }, 'rejected'],
    [{ kind: 'unavailable', message: 'x' }, 'not_started'],
  ] as [WhatsappRegistrationAnswer, WhatsappSenderStatus][]) {
    const { verify, read } = await makeSender()
    const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<WhatsappRegistrationAnswer>()]
    registerAs(() => {
      asked.resolve()
      return late.promise
    })
    const verifying = verify()
    await asked.promise
    registerAs(answer)
    posthorn.clock.advance(30_000)
    await other.app.jobs.runDue()
    assert.equal((await read()).status, status)
    late.resolve({ kind: 'failed', reason: 'too late to count' })
    const { body } = await verifying
    assert.deepEqual([body.status, body.rejectionReason], [status, status === 'rejected' ? 'No' : null])
  }
})

test('a phoneNumberId works for one sender at a time, also under concurrent verifications', async () => {
  registerAs({ kind: 'active' })
  const shared = newIds()
  const senders = await Promise.all(Array.from({ length: 6 }, () => makeSender(shared)))
  const answers = await Promise.all(senders.map(({ verify }) => verify()))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
  const statuses = await Promise.all(senders.map(async ({ read }) => (await read()).status))
  assert.deepEqual(statuses.sort(), ['active', ...Array(5).fill('not_started')])
  const winner = senders[answers.findIndex(({ status }) => status === 200)]!
  const loser = senders[answers.findIndex(({ status }) => status === 409)]!
  // Messages to the number belong to the first team, even if it has no sender.
  await ok(winner.api.delete(winner.path))
  assert.equal((await loser.verify()).status, 409)
  await posthorn.app.transaction((tx) => releaseNumber(tx, { channel: 'whatsapp', number: shared.phoneNumberId }))
  assert.equal((await ok(loser.verify())).status, 'active')
})

test('a sender with another number at WhatsApp must be verified again; a suspended sender stays suspended', async () => {
  registerAs({ kind: 'active' })
  const { api, path, verify, read, setStatus, made } = await makeSender()
  await ok(verify())
  const { wabaId, phoneNumberId } = made
  assert.equal((await ok(api.patch(path, { wabaId, phoneNumberId, displayName: 'New' }))).status, 'active')
  assert.equal((await ok(api.patch(path, { phoneNumberId: 'another' }))).status, 'not_started')
  assert.equal((await ok(api.patch(path, { phoneNumberId: null }))).phoneNumberId, null)
  await setStatus('suspended')
  await ok(api.patch(path, newIds()))
  assert.equal((await read()).status, 'suspended')
  assert.equal((await api.delete(path)).status, 409)
})

test('a sender with messages of either direction cannot be deleted', async () => {
  const shop = await openShop(captured)
  const path = `/v1/whatsapp/senders/${shop.senderId}`
  await shop.write(newNumber(), 'Hi')
  const used = await shop.api.delete(path)
  assert.deepEqual([used.status, used.body.name], [409, 'conflict'])
  assert.equal((await ok(shop.api.get(path))).status, 'active')
  assert.equal((await shop.api.delete(`/v1/whatsapp/senders/${unknownId}`)).status, 404)
})

test("another team's sender is answered as one that does not exist", async () => {
  const { made, path } = await makeSender()
  const { api } = await posthorn.team()
  const nobodys = `/v1/whatsapp/senders/${unknownId}`
  assert.deepEqual((await api.get(path)).body, (await api.get(nobodys)).body)
  for (const answer of [
    await api.get(path),
    await api.patch(path, { name: 'Mine' }),
    await api.post(`${path}/verify`),
    await api.delete(path),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.deepEqual((await ok(api.get('/v1/whatsapp/senders'))).data, [])
  assert.equal(made.status, 'not_started')
})

test('a number that the operator assigns to another team during a verification stays with that team', async () => {
  const late = Promise.withResolvers<WhatsappRegistrationAnswer>()
  const { promise: asked, resolve: begun } = Promise.withResolvers<void>()
  registerAs(() => {
    begun()
    return late.promise
  })
  const [shared, other] = [newIds(), await posthorn.team()]
  const { verify, read } = await makeSender(shared)
  const verifying = verify()
  await asked
  await posthorn.app.transaction((tx) =>
    assignNumber(tx, other.id, { channel: 'whatsapp', number: shared.phoneNumberId }),
  )
  late.resolve({ kind: 'active' })
  assert.equal((await verifying).status, 409)
  assert.equal((await read()).status, 'not_started')
})
