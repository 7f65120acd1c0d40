import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { numberForms } from '../../platform/text/phone-number.ts'
import { activeSender } from '../fixtures/sender.ts'
import { findTeamsOfNumber } from '../senders/queries.ts'
import { recordInboundSms } from './record-inbound.ts'

const posthorn = await createTestApp()
const path = '/v1/sms/opt-outs'
const ada = '+61491570156'

function write({ api }: TestTeam, body: string, from = ada) {
  return api.post('/providers/capture/sms', { from, to: '+61400000000', body })
}

async function listed({ api }: TestTeam): Promise<[string, string][]> {
  const { data } = (await api.get(path)).body
  return data.map(({ phoneNumber, reason }: { phoneNumber: string; reason: string }) => [phoneNumber, reason])
}

test('a number is blocked by hand, listed and unblocked; a second time it is the same entry', async () => {
  const team = await posthorn.team()
  const made = await ok(team.api.post(path, { phoneNumber: ada }))
  const { id, createdAt, ...rest } = made
  assert.deepEqual(rest, { phoneNumber: ada, reason: 'manual' })
  assert.ok(createdAt)
  assert.deepEqual((await team.api.post(path, { phoneNumber: ada })).body, made)
  assert.deepEqual((await team.api.get(path)).body.data, [made])
  assert.deepEqual((await team.api.delete(`${path}/${id}`)).body, { id, deleted: true })
  assert.deepEqual(await listed(team), [])
  assert.equal((await team.api.post(path, { phoneNumber: '0491 570 156' })).status, 400)
})

test('a number that opted out gets neither transactional nor promotional messages, in any spelling of the number', async () => {
  const team = await posthorn.team()
  const senderId = await activeSender(team, { defaultMessageType: 'promotional' })
  await team.api.post(path, { phoneNumber: ada })
  for (const message of [
    { to: ada, messageType: 'transactional' },
    { to: ada, messageType: 'promotional' },
    { to: '+610491570156' },
  ]) {
    const sent = await team.api.post('/v1/sms', { body: 'Hello', senderId, ...message })
    assert.deepEqual([sent.status, sent.body.error], [403, 'RECIPIENT_OPTED_OUT'])
  }
})

for (const word of [
  ...[
    'STOP',
    'stopall',
    ' Unsubscribe ',
    'CANCEL',
    '\nend\t',
    'Quit',
    'STOP.',
    '"Stop!"',
    '“stop”',
    '« Arrêt »',
    'arret,',
  ],
  ...['OptOut', 'opt  out', 'Opt-Out;', 'opt\u2011out', 'REVOKE', '\u00a0stop all...', "'End'"],
  // Invisible characters, which keyboards of right-to-left scripts and copied texts add.
  ...['\u200fStop\u200e', 'STOP\u200b', '\u2060stop', 'ST\u00adOP', '\u2067STOP\u2069'],
]) {
  test(`${JSON.stringify(word)} opts out`, async () => {
    const team = await posthorn.team()
    const answer = await write(team, word)
    assert.deepEqual([answer.status, answer.body], [200, { received: true, action: 'opted_out' }])
    assert.deepEqual(await listed(team), [[ada, 'keyword']])
  })
}

for (const word of ['START', 'unstop', ' Yes ', '“Start.”']) {
  test(`${JSON.stringify(word)} opts in, also after a block by hand`, async () => {
    const team = await posthorn.team()
    await write(team, 'STOP')
    await team.api.post(path, { phoneNumber: '+12025550123' })
    assert.deepEqual((await write(team, word)).body, { received: true, action: 'opted_in' })
    assert.deepEqual((await write(team, word, '+12025550123')).body, { received: true, action: 'opted_in' })
    assert.deepEqual(await listed(team), [])
  })
}

test('other words change nothing', async () => {
  const team = await posthorn.team()
  for (const word of [
    'Please stop',
    'stop it',
    'stop?',
    '',
    '...',
    'START now',
    'no',
    'opt',
    'st op',
    `stop${'.'.repeat(1000)}`,
  ]) {
    assert.deepEqual((await write(team, word)).body, { received: true, action: null }, word)
  }
  assert.deepEqual(await listed(team), [])
})

test('a keyword reaches the opt-outs of the caller’s team only, and takes a full_access key', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  await activeSender(other, { senderId: '+61400000000', senderType: 'long_code' })
  await write(team, 'STOP')
  assert.deepEqual(await listed(other), [])
  const sending = await team.newKey({ permission: 'sending_access' })
  assert.equal((await write({ ...team, api: sending.api }, 'STOP')).status, 403)
  assert.equal((await write(team, 'STOP', 'Ada')).status, 400)
})

test('a message belongs to the team with an active sender of that number', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const number = { senderId: '+61455555555', senderType: 'long_code' }
  await activeSender(team, number)
  await other.api.post('/v1/sms/senders', { name: 'Not verified', ...number })
  assert.deepEqual(await findTeamsOfNumber(posthorn.app.db, '+61455555555'), [team.id])
})

test('a repeated keyword, or one that is older than the last, changes nothing', async () => {
  const team = await posthorn.team()
  const at = (minute: number) => new Date(Date.UTC(2030, 5, 15, 12, minute))
  const teams = { receiving: [team.id], heeding: [team.id] }
  const hear = (body: string, minute: number) =>
    recordInboundSms(posthorn.app, teams, { from: ada, to: '+61400000000', body, at: at(minute) }, 'proven')
  await hear('STOP', 1)
  await hear('START', 3)
  await hear('STOP', 1)
  await hear('STOP', 2)
  assert.deepEqual(await listed(team), [])
  await hear('STOP', 4)
  assert.deepEqual(await listed(team), [[ada, 'keyword']])
})

test('a word of start that was written before the team blocked the number by hand does not unblock it', async () => {
  const team = await posthorn.team()
  const now = posthorn.clock.now()
  await team.api.post(path, { phoneNumber: ada })
  const teams = { receiving: [team.id], heeding: [team.id] }
  const start = (at: Date) =>
    recordInboundSms(posthorn.app, teams, { from: ada, to: '+61400000000', body: 'START', at }, 'proven')
  await start(new Date(now.getTime() - 1000))
  assert.deepEqual(await listed(team), [[ada, 'manual']])
  await start(new Date(now.getTime() + 1000))
  assert.deepEqual(await listed(team), [])
})

for (const [country, longer, shorter] of [
  ['Mexico', '+5215512345678', '+525512345678'],
  ['Argentina', '+5491123456789', '+541123456789'],
  ['Brazil', '+5511987654321', '+551187654321'],
]) {
  test(`the two forms of a mobile number of ${country} are one person`, async () => {
    const team = await posthorn.team()
    const senderId = await activeSender(team)
    for (const [one, other] of [
      [longer!, shorter!],
      [shorter!, longer!],
    ]) {
      await write(team, 'STOP', one)
      const made = await team.api.post(path, { phoneNumber: other })
      assert.deepEqual([made.body.phoneNumber, made.body.reason], [one, 'keyword'])
      // Argentina is not on the rate card, which is checked first.
      const { status } = await team.api.post('/v1/sms', { to: other, body: 'Hello', senderId })
      assert.equal(status, country === 'Argentina' ? 422 : 403)
      await write(team, 'START', other)
      assert.deepEqual(await listed(team), [])
    }
  })
}

test('a landline of Brazil is not the mobile number with a digit more', () => {
  assert.deepEqual(numberForms('+551132345678'), ['+551132345678'])
  assert.deepEqual(numberForms('+5511932345678'), ['+5511932345678'])
})
