import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import type { EmailProvider } from '../../../emails/provider.ts'
import { teamBodiesOf } from './read-body.ts'

const mib = 1024 * 1024
const hold = Promise.withResolvers<void>()
let handed = 0
const provider: EmailProvider = {
  name: 'held',
  signs: false,
  close: async () => undefined,
  async send({ envelope }) {
    handed++
    if (handed === 1) await hold.promise
    return { kind: 'answered', accepted: envelope.to, facts: [], response: null }
  },
}
const posthorn = await createTestApp({}, { emailProvider: provider })
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })

/** Sends an email of `sizeBytes`, and returns the request, and the promise of its answer, once it was handed over. */
async function send(team: TestTeam, sizeBytes: number): Promise<{ call: ClientRequest; answered: Promise<void> }> {
  const email = {
    from: `a@${team.domain}`,
    to: ['ada@example.com'],
    subject: 'Hello',
    text: 'x'.repeat(sizeBytes / 2),
    html: 'x'.repeat(sizeBytes / 2),
  }
  const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
  const call = request(`${url}/v1/emails`, { method: 'POST', headers })
  const answered = new Promise<void>((resolve) => call.once('response', () => resolve()))
  const before = handed
  call.on('error', () => undefined).end(JSON.stringify(email))
  await until(() => handed > before)
  return { call, answered }
}

async function hangUp(call: ClientRequest): Promise<void> {
  const closed = new Promise<void>((resolve) => call.once('close', resolve))
  call.destroy()
  await closed
}

test('the body of a client that hangs up takes its share of memory until the request is handled', async () => {
  const team = await posthorn.team()
  const others = teamBodiesOf(posthorn.app).lease('others')
  others.hold(155 * mib)
  await hangUp((await send(team, 3 * mib)).call)
  const again = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x'.repeat(mib) }
  assert.equal((await team.api.post('/v1/emails', again)).status, 503)
  hold.resolve()
  await until(async () => (await team.api.post('/v1/emails', again)).status === 200)
  others.end()
})

test('the body of a client that hangs up while it reads a long answer takes no memory afterwards', async () => {
  const team = await posthorn.team()
  const others = teamBodiesOf(posthorn.app).lease('others')
  others.hold(146 * mib)
  const { call, answered } = await send(team, 9 * mib)
  // The kernel takes less than the answer has, and the client reads nothing.
  await answered
  await hangUp(call)
  const own = teamBodiesOf(posthorn.app).lease(team.id)
  await until(() => own.take(9 * mib))
  own.end()
  others.end()
})
