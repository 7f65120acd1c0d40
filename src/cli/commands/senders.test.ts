import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../fixtures/command-line.ts'

const { posthorn, run } = await createCommandLine()

const channels = [
  {
    channel: 'sms',
    sender: { name: 'Shop', senderId: 'Posthorn' },
    messages: '/v1/sms',
    message: { to: '+61400000009', body: 'Hello' },
  },
  {
    channel: 'whatsapp',
    sender: { name: 'Shop', phoneNumber: '+447700900123', wabaId: 'waba', phoneNumberId: 'phone' },
    messages: '/v1/whatsapp/messages',
    message: { to: '+447700900456', body: 'Hello' },
  },
] as const

for (const { channel, sender, messages, message } of channels) {
  test(`an operator suspends a sender of ${channel}, which then neither sends nor is verified until it is resumed`, async () => {
    const { api } = await posthorn.team({ plan: 'pro' })
    const { body: made } = await api.post(`/v1/${channel}/senders`, sender)
    const path = `/v1/${channel}/senders/${made.id}`
    assert.equal((await api.post(`${path}/verify`)).body.status, 'active')
    const suspended = await run(channel, 'suspend-sender', made.id, 'Reported', 'as spam')
    assert.equal(suspended.code, 0, suspended.stderr)
    const { body: stopped } = await api.get(path)
    assert.deepEqual([stopped.status, stopped.rejectionReason], ['suspended', 'Reported as spam'])
    const sent = await api.post(messages, { senderId: made.id, ...message })
    assert.deepEqual([sent.status, sent.body.name], [400, 'sender_not_active'])
    assert.equal((await api.post(`${path}/verify`)).status, 400)
    const resumed = await run(channel, 'resume-sender', made.id)
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.equal((await api.get(path)).body.status, 'not_started')
    assert.equal((await api.post(`${path}/verify`)).body.status, 'active')
  })

  test(`a sender of ${channel} that does not exist, or is not suspended, is refused with a sentence that names it`, async () => {
    const id = posthorn.app.newId()
    for (const [verb, code, message] of [
      ['suspend-sender', 1, `there is no .* sender ${id}`],
      ['resume-sender', 1, `no .* sender ${id} is suspended`],
    ] as const) {
      const answer = await run(channel, verb, id)
      assert.equal(answer.code, code)
      assert.match(answer.stderr, new RegExp(message))
      assert.equal((await run(channel, verb, 'Shop')).code, 2)
    }
  })
}
