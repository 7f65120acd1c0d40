import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { newNumber, openShop, webhookSecret } from '../src/whatsapp/fixtures/shop.ts'
import { type Answer, createTestApp } from './app.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret, OUTBOUND_ALLOW: '127.0.0.0/8' })

type Shop = Awaited<ReturnType<typeof openShop>>
type Properties = Record<string, { type?: string; minimum?: number; maximum?: number }>

const propertiesOf = (schema: unknown) => (schema as { properties?: Properties } | undefined)?.properties ?? {}
/** Figures are points of time in a range, not entries in pages. */
const isFigures = (path: string) => path.startsWith('/v1/metrics/')
const lists = routes.filter(
  ({ method, path, response }) => method === 'GET' && propertiesOf(response).data?.type === 'array' && !isFigures(path),
)

for (const { path, query, response } of lists) {
  test(`GET ${path} is a list in pages of at most 100`, () => {
    // The feed goes on behind an entry, which need not be the last one of a page.
    const { limit, cursor, after = cursor } = propertiesOf(query)
    assert.deepEqual([limit?.minimum, limit?.maximum, after?.type], [1, 100, 'string'])
    const { hasMore, cursor: next } = propertiesOf(response)
    assert.deepEqual([hasMore?.type, next?.type], ['boolean', ['string', 'null']])
  })
}

async function ok(answer: Promise<Answer>) {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

let made = 0
const name = () => `Name${++made}`

/** Makes an entry of each list whose documented form is only `{data}` (docs/decisions/api.md). */
const makers: Record<string, (shop: Shop) => Promise<unknown>> = {
  '/v1/api-keys': ({ api }) => ok(api.post('/v1/api-keys', { name: name() })),
  '/v1/domains': ({ api }) => ok(api.post('/v1/domains', { name: `${name().toLowerCase()}.lists.test` })),
  '/v1/segments': ({ api }) => ok(api.post('/v1/segments', { name: name() })),
  '/v1/topics': ({ api }) => ok(api.post('/v1/topics', { name: name() })),
  '/v1/templates': ({ api }) => ok(api.post('/v1/templates', { name: name(), html: '<p>Hello</p>' })),
  '/v1/broadcasts': async ({ api, team }) => {
    const { id: segmentId } = await ok(api.post('/v1/segments', { name: name() }))
    const fields = { name: name(), from: `a@${team.domain}`, segmentId, subject: 'News', text: 'Hello' }
    return ok(api.post('/v1/broadcasts', fields))
  },
  '/v1/workflows': ({ api }) => ok(api.post('/v1/workflows', { name: name() })),
  '/v1/webhooks': ({ api }) =>
    ok(api.post('/v1/webhooks', { endpointUrl: `https://127.0.0.1/${name()}`, events: ['email.sent'] })),
  '/v1/credentials': ({ api }) =>
    ok(api.post('/v1/credentials', { name: name(), type: 'bearer', secret: { token: 'x' } })),
  '/v1/sms/senders': ({ api }) => ok(api.post('/v1/sms/senders', { name: 'Shop', senderId: name() })),
  '/v1/sms/opt-outs': ({ api }) =>
    ok(api.post('/v1/sms/opt-outs', { phoneNumber: `+614000${String(++made).padStart(5, '0')}` })),
  '/v1/whatsapp/senders': ({ api }) => ok(api.post('/v1/whatsapp/senders', { name: 'Shop', phoneNumber: newNumber() })),
  '/v1/whatsapp/templates': ({ api }) =>
    ok(api.post('/v1/whatsapp/templates', { name: name().toLowerCase(), body: 'Hello' })),
  '/v1/whatsapp/messages': ({ write }) => write(newNumber(), 'Hello'),
  '/v1/whatsapp/conversations': ({ write }) => write(newNumber(), 'Hello'),
}

for (const [path, make] of Object.entries(makers)) {
  test(`the pages of ${path} hold each row once, newest first, while rows are added`, async () => {
    const shop = await openShop(posthorn)
    for (let index = 0; index < 5; index++) {
      await make(shop)
      await posthorn.clock.advance(1000)
    }
    const page = (query: string) => ok(shop.api.get(`${path}?${query}`))
    const whole = await ok(shop.api.get(path))
    assert.deepEqual([whole.cursor, whole.hasMore], [null, false])
    assert.deepEqual(whole.data.map(newest), whole.data.map(newest).toSorted().toReversed())
    const walked = []
    let next = await page('limit=2')
    for (; next.hasMore; next = await page(`limit=2&cursor=${next.cursor}`)) {
      assert.equal(next.data.length, 2)
      walked.push(...next.data)
      await posthorn.clock.advance(1000)
      await make(shop)
    }
    assert.equal(next.cursor, null)
    assert.deepEqual([...walked, ...next.data].map(newest), whole.data.map(newest))
  })
}

const newest = (row: { id: string; lastMessageAt?: string }) => `${row.lastMessageAt ?? ''} ${row.id}`

test('an invalid limit, a changed cursor, and a cursor of another list or team are 400', async () => {
  const [shop, other] = [await openShop(posthorn), await openShop(posthorn)]
  const paths = Object.keys(makers)
  for (const [index, path] of paths.entries()) {
    for (const limit of ['0', '101', '-1', '1.5', 'x']) {
      assert.equal((await shop.api.get(`${path}?limit=${limit}`)).status, 400, `${path} ${limit}`)
    }
    for (const _ of 'ab') await makers[path]!(shop)
    const { cursor } = await ok(shop.api.get(`${path}?limit=1`))
    const changed = `${cursor.startsWith('W') ? 'X' : 'W'}${cursor.slice(1)}`
    const answers = [
      await other.api.get(`${path}?cursor=${cursor}`),
      await shop.api.get(`${paths[(index + 1) % paths.length]}?cursor=${cursor}`),
      await shop.api.get(`${path}?cursor=${changed}`),
    ]
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.errors?.[0].path], [400, 'cursor'], path)
    }
  }
})

for (const path of ['/v1/billing/plans', '/v1/workflows/node-types']) {
  test(`${path} is read in pages`, async () => {
    const { api } = await posthorn.team()
    const whole = await ok(api.get(path))
    const walked = []
    let page = await ok(api.get(`${path}?limit=3`))
    for (; page.hasMore; page = await ok(api.get(`${path}?limit=3&cursor=${page.cursor}`))) walked.push(...page.data)
    assert.deepEqual([...walked, ...page.data], whole.data)
    assert.equal((await api.get(`${path}?cursor=x`)).status, 400)
  })
}
