// needs: waiting
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureOf } from '../../src/whatsapp/fixtures/shop.ts'
import { phoneNumberId, startMeta, wabaId } from '../../src/whatsapp/providers/meta/fixtures/meta.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()
const meta = await startMeta()
const take = meta.answer

type Message = { id: string; to: string; status: string; events: { type: string }[]; conversationId: string }

/** An installation that sends through the peer, with a verified sender and an approved template. */
async function install() {
  const installed = await workshop.install({ EMAIL_PROVIDER: 'capture', ...meta.environment })
  const { first, key, dataDir } = installed
  const post = async (path: string, body?: object) => {
    const answer = await call(first, key, 'POST', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as { id: string }
  }
  const number = { phoneNumber: '+61491570156', wabaId, phoneNumberId }
  const { id: senderId } = await post('/v1/whatsapp/senders', { name: 'Shop', ...number })
  await post(`/v1/whatsapp/senders/${senderId}/verify`)
  meta.templates = []
  const { id: templateId } = await post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello there' })
  await post(`/v1/whatsapp/templates/${templateId}/submit`)
  const approval = { type: 'template_status', wabaId, templateName: 'welcome', language: 'en', status: 'approved' }
  const body = JSON.stringify({ events: [approval] })
  const secret = readFileSync(join(dataDir, 'whatsapp-webhook.secret'), 'utf8').trim()
  const headers = { 'x-signature': signatureOf(body, secret) }
  const told = await fetch(`${first.url}/v1/whatsapp/webhooks/inbound`, { method: 'POST', body, headers })
  assert.equal(((await told.json()) as { processed: number }).processed, 1)
  const send = (server: ServerProcess, to: string) =>
    call(server, key, 'POST', '/v1/whatsapp/messages', { senderId, to, templateId }, to)
  const read = async (server: ServerProcess, id: string) =>
    (await call(server, key, 'GET', `/v1/whatsapp/messages/${id}`)).body as Message
  const list = async (server: ServerProcess) =>
    (await call(server, key, 'GET', '/v1/whatsapp/messages?limit=100')).body as { data: Message[] }
  return { ...installed, send, read, list }
}

const callsFor = (to: string) => meta.sent.filter((input) => `+${String(input.to).replace('+', '')}` === to).length

test('after a kill during a request to the provider, the request is not repeated, and the message shows an unknown outcome', async () => {
  const { first, start, send, read, list } = await install()
  meta.answer = () => undefined
  const numbers = Array.from({ length: 8 }, (_, n) => `+4477009001${String(n).padStart(2, '0')}`)
  const cut = numbers.map((to) => send(first, to).catch(() => 'cut'))
  await until('the provider to be asked for all', () => numbers.every((to) => callsFor(to) === 1))
  await first.kill()
  assert.deepEqual(new Set(await Promise.all(cut)), new Set(['cut']))
  meta.answer = take
  const server = await start()
  const { data } = await list(server)
  assert.equal(data.length, numbers.length)
  for (const { id, to } of data) {
    const message = await until(`what became of ${to}`, async () => {
      const found = await read(server, id)
      return found.events.length > 0 && found
    })
    assert.deepEqual([message.status, message.events.map(({ type }) => type)], ['accepted', ['outcome_unknown']])
    const repeated = await send(server, to)
    assert.deepEqual([repeated.status, (repeated.body as Message).id], [200, id], 'the key is the message’s')
  }
  assert.deepEqual(numbers.map(callsFor), Array(8).fill(1))
  await server.stop()
})

test('under repeated kills and concurrent sends, each key is one message, sent at most once, and each ends', async () => {
  const { first, start, send, read } = await install()
  meta.answer = (...all) => void setTimeout(() => take(...all), 15)
  const [clients, kills] = [8, 3]
  let server = first
  let stopping = false
  const ids = new Map<string, string>()
  async function client(number: number): Promise<void> {
    for (let count = 0; !stopping; count++) {
      const to = `+44770${number}${String(count).padStart(6, '0')}`
      const id = await until(`an answer for ${to}`, async () => {
        const answer = await send(server, to).catch(() => undefined)
        return answer?.status === 200 && (answer.body as Message).id
      })
      ids.set(to, id)
    }
  }
  const work = Array.from({ length: clients }, (_, number) => client(number + 1))
  for (let kill = 0; kill < kills; kill++) {
    await sleep(700)
    await until('answers before the kill', () => ids.size > clients * kill)
    await server.kill()
    server = await start()
  }
  await until('answers after the last kill', () => ids.size > clients * kills)
  stopping = true
  await Promise.all(work)
  assert.equal(new Set(ids.values()).size, ids.size)
  assert.ok(ids.size > clients * kills, `${ids.size} messages`)
  let unknown = 0
  for (const [to, id] of ids) {
    const message = await until(`what became of ${to}`, async () => {
      const found = await read(server, id)
      return found.events.length > 0 && found
    })
    assert.ok(callsFor(to) <= 1, `${to} was sent ${callsFor(to)} times`)
    if (message.status === 'sent') assert.equal(callsFor(to), 1)
    else {
      unknown++
      assert.deepEqual([message.status, message.events.map(({ type }) => type)], ['accepted', ['outcome_unknown']])
    }
  }
  assert.ok(unknown <= kills * clients, `${unknown} of unknown outcome`)
  await server.stop()
})
