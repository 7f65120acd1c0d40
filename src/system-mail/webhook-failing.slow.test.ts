import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../test/app.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { fixture } from '../platform/egress/fixtures/loopback.ts'
import { publish } from '../platform/events.ts'
import { startReceiver } from '../webhooks/fixtures/receiver.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const OUTBOUND_ALLOW = '127.0.0.0/8'
const egress = createEgress({ allow: [OUTBOUND_ALLOW], ca: fixture('cert') })
const posthorn = await createSystemMailApp({ OUTBOUND_ALLOW }, { egress })
const minuteMs = 60_000
const emailId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function setUp(answer: number) {
  const [team, receiver] = [await posthorn.team(), await startReceiver()]
  receiver.answer = answer
  const owner = await team.member('owner')
  const added = await ok(team.api.post('/v1/webhooks', { endpointUrl: receiver.url, events: ['email.delivered'] }))
  const data = { emailId, recipient: null, details: null }
  const happen = () =>
    posthorn.app.transaction((tx) => publish(tx, [{ type: 'email.delivered', teamId: team.id, data }]))
  const letters = async () => {
    // A new sign-in, because access tokens have expired meanwhile.
    const reader = await posthorn.systemTeam.member('admin')
    const mails = await posthorn.mailTo(owner.email, reader.api)
    return mails.filter(({ subject }) => subject === 'A webhook keeps failing')
  }
  return { receiver, id: added.id as string, happen, letters }
}

async function pass(minutes: number, step = 15) {
  for (let passed = 0; passed < minutes; passed += step) {
    await posthorn.runDueJobsAfter(step * minuteMs)
  }
}

test('a webhook that fails for an hour is told of once, and again once it has succeeded and fails anew', async () => {
  const { receiver, id, happen, letters } = await setUp(200)
  await happen()
  await pass(30)
  receiver.answer = 500
  await happen()
  await pass(45)
  assert.deepEqual(await letters(), [], 'not before an hour')
  await pass(90)
  const [letter, ...more] = await letters()
  assert.equal(more.length, 0)
  assert.ok(letter.text.includes(id), letter.text)
  await happen()
  await pass(240)
  assert.equal((await letters()).length, 1, 'once')
  receiver.answer = 200
  await happen()
  await pass(24 * 60, 4 * 60)
  assert.equal((await letters()).length, 1)
  receiver.answer = 500
  await happen()
  await pass(180)
  assert.equal((await letters()).length, 2)
})

test('a webhook with nothing to deliver, and one that succeeds, are not told of', async () => {
  const [idle, well] = [await setUp(500), await setUp(200)]
  for (let hour = 0; hour < 4; hour++) {
    await well.happen()
    await pass(60)
  }
  assert.deepEqual([await idle.letters(), await well.letters()], [[], []])
})
