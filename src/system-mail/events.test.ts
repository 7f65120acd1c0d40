import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEgress } from '../platform/egress/egress.ts'
import { fixture } from '../platform/egress/fixtures/loopback.ts'
import { publish } from '../platform/events.ts'
import { eventTypes } from '../webhooks/event-types.ts'
import { startReceiver } from '../webhooks/fixtures/receiver.ts'
import { activate } from '../workflows/triggers/fixtures/active.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const OUTBOUND_ALLOW = '127.0.0.0/8'
const egress = createEgress({ allow: [OUTBOUND_ALLOW], ca: fixture('cert') })
const posthorn = await createSystemMailApp({ OUTBOUND_ALLOW }, { egress })
const { app, systemTeam } = posthorn

test('webhooks and workflows of the system team hear nothing of system mail, and everything of its other mail', async () => {
  const receiver = await startReceiver()
  const events = [...eventTypes]
  const { body: webhook } = await systemTeam.api.post('/v1/webhooks', { endpointUrl: receiver.url, events })
  const workflow = await activate(systemTeam, { type: 'email_event', config: { events } })
  for (const name of ['ada', 'bounce', 'complaint', 'delayed']) {
    const userId = await posthorn.person(`${name}@people.test`)
    const asked = { type: 'account.reset_requested', teamId: systemTeam.id, data: { userId } } as const
    await app.transaction((tx) => publish(tx, [asked]))
    assert.equal((await posthorn.mailTo(`${name}@people.test`)).length, 1)
  }
  const own = { from: `a@${systemTeam.domain}`, to: ['grace@people.test'], subject: 'Hello', text: 'x' }
  const { body: email } = await systemTeam.api.post('/v1/emails', own)
  for (let turn = 0; turn < 3; turn++) {
    await posthorn.runDueJobs()
    posthorn.clock.advance(2000)
  }
  const { data } = (await systemTeam.api.get(`/v1/webhooks/${webhook.id}/deliveries`)).body
  const told = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(told.map(({ type, data }) => [type, data.email_id]).sort(), [
    ['email.delivered', email.id],
    ['email.sent', email.id],
  ])
  assert.equal(data.length, 2)
  const heard = await workflow.triggerData()
  assert.deepEqual([...new Set(heard.map(({ emailId }) => emailId))], [email.id])
  assert.doesNotMatch(JSON.stringify([told, heard]), /ada@|bounce@|complaint@|delayed@/)
})
