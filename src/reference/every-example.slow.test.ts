import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Answer } from '../../test/app.ts'
import { patienceMs } from '../../test/patience.ts'
import { exampleBody, type Operation, startReference } from './fixtures/try-out.ts'

const { operations, find, ids, send, tryOut, account } = await startReference()

/** A provider signs what it reports, so no example can show a request that is accepted. */
const isSigned = ({ path, parameters }: Operation) =>
  parameters.some((one) => one.in === 'header' && one.required) || /^\/providers\/(?!capture\/)/.test(path)

/** Requests that hold a secret which only one person has, and what they answer to that of the example. */
const refusals: Record<string, number> = {
  'post /auth/refresh': 401,
  'post /auth/oauth': 400,
  'post /auth/password/reset': 400,
  'post /auth/verify-email': 400,
  // The account owns the team of the first start.
  'delete /auth/me': 409,
  // The server of the test sends no mail.
  'post /auth/me/email': 409,
  'post /auth/me/email/confirm': 400,
  'post /auth/2fa/verify': 409,
  'post /auth/2fa/disable': 409,
  'post /auth/2fa/recovery-codes': 409,
  'post /auth/session': 403,
  'post /auth/invitations': 400,
  // The example names another member, and there is none.
  'patch /v1/team/members/{userId}': 404,
}

/** Operations that make the things other examples use. They run first, in this order. */
const first = [
  'post /auth/signup',
  'post /v1/contacts',
  'post /v1/segments',
  'post /v1/sms/senders',
  'post /v1/sms/senders/{id}/verify',
  'post /v1/whatsapp/senders',
  'patch /v1/whatsapp/senders/{id}',
  'post /v1/whatsapp/senders/{id}/verify',
  'post /providers/capture/whatsapp',
  'post /v1/whatsapp/templates',
  'patch /v1/whatsapp/templates/{id}',
  'post /v1/whatsapp/templates/{id}/submit',
]
/** Operations that remove things other examples use. They run last. */
const last = ['post /auth/switch', 'post /auth/logout', 'delete /auth/me', 'delete /v1/team']
/** These give the password of the account that the example of `POST /auth/signup` makes. */
const asSignedUp = ['post /auth/password', 'post /auth/reauthenticate']

/** Steps that an operation needs before it. */
const before: Record<string, () => Promise<void>> = {
  async 'post /v1/whatsapp/messages'() {
    const verdict = { type: 'template_status', templateName: 'order_shipped', language: 'en', status: 'approved' }
    await done('POST', '/providers/capture/whatsapp', { events: [{ ...verdict, wabaId: '102290129340398' }] })
  },
  async 'post /v1/whatsapp/conversations/{id}/reply'() {
    ids.set('/v1/whatsapp/conversations', (await done('GET', '/v1/whatsapp/conversations')).data[0].id)
  },
  async 'patch /v1/emails/{id}'() {
    const email = exampleBody(find('post /v1/emails')) as object
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    ids.set('/v1/emails', (await done('POST', '/v1/emails', { ...email, scheduledAt })).id)
  },
  async 'post /v1/workflows/{id}/executions'() {
    await done('POST', `/v1/workflows/${ids.get('/v1/workflows')}/activate`)
  },
  async 'post /v1/workflows/{id}/executions/{exec_id}/rerun'() {
    const path = `/v1/workflows/${ids.get('/v1/workflows')}/executions/${ids.get('/v1/workflows/{id}/executions')}`
    const until = Date.now() + patienceMs
    while (/running|waiting/.test((await done('GET', path)).status) && Date.now() < until) await setTimeout(20)
  },
  async 'post /v1/workflows/triggers/{publicKey}'() {
    const { id } = await done('POST', '/v1/workflows', { name: 'Orders' })
    await done('PATCH', `/v1/workflows/${id}`, { nodes: [{ id: 'order', type: 'webhook_received' }], connections: [] })
    ids.set('/v1/workflows/triggers', (await done('POST', `/v1/workflows/${id}/activate`)).triggerKey)
  },
}

async function done(method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await send(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.body
}

/** Returns the operations with a body, in an order in which each finds what it needs. */
function inOrder(): Operation[] {
  const special = [...first, ...last]
  const others = operations.filter((one) => one.requestBody && !isSigned(one) && !special.includes(one.name))
  return [...first.map(find), ...others, ...last.map(find)]
}

test('a new installation accepts the example of each request as it stands, but for ids and secrets', async () => {
  const user = (await send('POST', '/auth/login', account, null)).body.accessToken
  let signedUp: string | null = null
  const answers: [name: string, status: number, text: string][] = []
  for (const operation of inOrder()) {
    const { name } = operation
    await before[name]?.()
    const { status, text, body } = await tryOut(operation, asSignedUp.includes(name) ? signedUp : user)
    answers.push([name, status, text])
    if (name === 'post /auth/login') signedUp = body.accessToken
  }
  const refused = answers.filter(([name, status]) => status !== refusals[name] && (status < 200 || status > 299))
  assert.deepEqual(refused, [])
  assert.ok(answers.length > 60, String(answers.length))
})
