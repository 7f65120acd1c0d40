import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Posthorn } from '../../sdk/src/index.ts'
import { slowTest } from '../slow.ts'
import { newClient } from './server.ts'

const quick = { 'retry-after': '0' }

slowTest(
  'an answer that is lost after the email was accepted is asked for again with the same key, and one is sent',
  async () => {
    let lost = 0
    const { team, posthorn, requests } = await newClient(async (_, answer) => {
      const response = await answer()
      if (lost++ < 2) throw new TypeError('fetch failed')
      return response
    })
    const sent = { from: `hello@${team.domain}`, to: 'ada@example.com', subject: 'Once', text: 'Hello' }
    const { id } = await posthorn.emails.send(sent)
    assert.equal(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size, 1)
    assert.equal(requests.length, 3)
    const { data } = await posthorn.emails.list()
    assert.deepEqual(
      data.map((email) => email.id),
      [id],
    )
  },
)

test('what passes is tried again at most twice, as often as the options say, and by the wait that the server asks for', async () => {
  for (const status of [408, 429, 502, 503, 504]) {
    const counts = await Promise.all([undefined, 0, 3].map((retries) => attempts(status, quick, { retries })))
    assert.deepEqual(counts, [3, 1, 4], String(status))
  }
  assert.equal(await attempts(503, { 'retry-after': '61' }), 1)
})

test('what does not pass is not tried again', async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 500])
    assert.equal(await attempts(status, quick), 1, String(status))
})

test('a POST that takes no key is sent once, and a key that is given is sent as it is', async () => {
  const keys: (string | null)[] = []
  const posthorn = new Posthorn('ph_x', {
    fetch: async (_, init) => {
      keys.push(new Headers(init!.headers).get('idempotency-key'))
      return new Response('', { status: 503, headers: quick })
    },
  })
  await posthorn.domains.verify('x').result()
  assert.deepEqual(keys, [null])
  await posthorn.emails
    .send({ from: 'a@b.test', to: 'c@d.test', subject: '', text: '' }, { idempotencyKey: 'order-1' })
    .result()
  assert.deepEqual(keys.slice(1), ['order-1', 'order-1', 'order-1'])
  const headers = { 'Idempotency-Key': 'order-2' }
  await posthorn.emails.send({ from: 'a@b.test', to: 'c@d.test', subject: '', text: '' }, { headers }).result()
  await posthorn.domains.verify('x', { headers }).result()
  assert.deepEqual(keys.slice(4), ['order-2', 'order-2', 'order-2', 'order-2'])
})

test('a POST by path is sent once where its operation takes no key, and repeated with its key otherwise', async () => {
  const asked: string[] = []
  const fetch = async (url: unknown) => {
    asked.push(new URL(String(url)).pathname)
    return new Response('', { status: 502, headers: quick })
  }
  const posthorn = new Posthorn('ph_x', { fetch })
  for (const path of ['/v1/topics?x=1', '/v1/domains/x/verify', '/v1/emails', '/v1/newer'])
    await posthorn.request('POST', path, { body: {}, idempotencyKey: 'k' }).result()
  const counts = Map.groupBy(asked, (path) => path)
  assert.deepEqual(
    [...counts].map(([path, { length }]) => [path, length]),
    [
      ['/v1/topics', 1],
      ['/v1/domains/x/verify', 1],
      ['/v1/emails', 3],
      ['/v1/newer', 3],
    ],
  )
})

async function attempts(
  status: number,
  headers: Record<string, string>,
  { retries }: { retries?: number | undefined } = {},
) {
  let count = 0
  const posthorn = new Posthorn('ph_x', {
    fetch: async () => {
      count++
      return new Response('{}', { status, headers })
    },
  })
  await posthorn.contacts.get('x', retries === undefined ? {} : { retries }).result()
  return count
}
