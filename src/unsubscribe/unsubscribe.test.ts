import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { databaseProxy } from '../../test/database-proxy.ts'
import { slowTest } from '../../test/slow.ts'
import { listen, speak } from '../../test/wire.ts'
import { unsubscribeTokenOf } from '../contacts/unsubscribe/token.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
const port = await listen(posthorn)

type Reader = { team: TestTeam; id: string; email: string; token: string }

async function reader(): Promise<Reader> {
  const team = await posthorn.team()
  const email = `ada@${team.domain}`
  const { id } = (await team.api.post('/v1/contacts', { email })).body
  const { unsubscribe_seed } = await posthorn.app.db
    .selectFrom('contacts')
    .select('unsubscribe_seed')
    .where('team_id', '=', team.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { team, id, email, token: unsubscribeTokenOf(posthorn.app.keyring, unsubscribe_seed) }
}

const isUnsubscribed = async ({ team, id }: Reader) => (await team.api.get(`/v1/contacts/${id}`)).body.unsubscribed
const suppressions = async ({ team }: Reader) => (await team.api.get('/v1/suppressions')).body.data

test('the page only asks: fetching it any number of times changes nothing', async () => {
  const ada = await reader()
  const page = await posthorn.anyone.get(`/unsubscribe?token=${ada.token}`)
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(page.text, /<form method="post"><button>Unsubscribe<\/button><\/form>/)
  await posthorn.server.inject({ method: 'HEAD', url: `/unsubscribe?token=${ada.token}` })
  assert.equal(await isUnsubscribed(ada), false)
  assert.deepEqual(await suppressions(ada), [])
})

test('the button unsubscribes the contact and blocks its address', async () => {
  const ada = await reader()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const confirmed = await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`, '', form)
  assert.equal(confirmed.status, 200)
  assert.match(confirmed.text, /<h1>You are unsubscribed<\/h1>/)
  assert.equal(await isUnsubscribed(ada), true)
  const [blocked, ...others] = await suppressions(ada)
  assert.deepEqual([blocked.email, blocked.reason, others], [ada.email, 'unsubscribe', []])
})

test('unsubscribing again changes nothing and gets the same confirmation', async () => {
  const ada = await reader()
  const first = await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`)
  const before = [(await ada.team.api.get(`/v1/contacts/${ada.id}`)).body, await suppressions(ada)]
  posthorn.clock.advance(1000)
  const again = await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.deepEqual([(await ada.team.api.get(`/v1/contacts/${ada.id}`)).body, await suppressions(ada)], before)
})

test('a contact that the sender has resubscribed can unsubscribe again', async () => {
  const ada = await reader()
  await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`)
  await ada.team.api.patch(`/v1/contacts/${ada.id}`, { unsubscribed: false })
  await ada.team.api.delete(`/v1/suppressions/${(await suppressions(ada))[0].id}`)
  await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`)
  assert.equal(await isUnsubscribed(ada), true)
  assert.equal((await suppressions(ada)).length, 1)
})

test('the answer does not show whether a token is valid', async () => {
  const ada = await reader()
  const address = (query: string) => `/unsubscribe${query}`
  const others = [
    '',
    '?',
    '?token=',
    '?token=unknown',
    `?token=${ada.token}x`,
    '?other=1',
    `?token=${'x'.repeat(4000)}`,
  ]
  const broken = ['?token=%', '?token=%00', '?token=%ff%ED%A0%80', '?token[]=1', '?token=a&token=b', '?__proto__=1']
  const [asked, told] = [
    await posthorn.anyone.get(address(`?token=${ada.token}`)),
    await posthorn.anyone.post(address(`?token=${ada.token}`)),
  ]
  const varying = /^(x-request-id|x-ratelimit-remaining|date)$/
  const comparable = ({ status, text, headers }: typeof asked) => [
    status,
    text,
    Object.entries(headers).filter(([name]) => !varying.test(name)),
  ]
  for (const query of [...others, ...broken]) {
    assert.deepEqual(comparable(await posthorn.anyone.get(address(query))), comparable(asked), query)
    assert.deepEqual(comparable(await posthorn.anyone.post(address(query))), comparable(told), query)
  }
})

const oneClick = 'List-Unsubscribe=One-Click'
const part = `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`
const bodies: [string, string, string][] = [
  ['one click as RFC 8058 has it', 'application/x-www-form-urlencoded', oneClick],
  ['one click as multipart', 'multipart/form-data; boundary=b', part],
  ['one click in another charset', 'application/x-www-form-urlencoded; charset=iso-8859-1', oneClick],
  ['text', 'text/plain', oneClick],
  ['JSON', 'application/json', '{"a":'],
  ['a type that is none', '###', oneClick],
  ['an empty type', '', oneClick],
  ['bytes that are no text', 'application/octet-stream', '\0\xff\xfe'],
]
for (const [what, type, body] of bodies) {
  test(`${what} unsubscribes`, async () => {
    const ada = await reader()
    const answer = await speak(
      port,
      `POST /unsubscribe?token=${ada.token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.equal(await isUnsubscribed(ada), true)
  })
}

test('a body without a type, a compressed one, and none at all unsubscribe', async () => {
  for (const headers of [
    'Content-Length: 3\r\n\r\na=b',
    'Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08',
    'Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n',
    '\r\n',
  ]) {
    const ada = await reader()
    const start = `POST /unsubscribe?token=${ada.token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    assert.match(await speak(port, start + headers), /^HTTP\/1\.1 200 /)
    assert.equal(await isUnsubscribed(ada), true)
  }
})

test('a body of any size unsubscribes', async () => {
  const ada = await reader()
  const body = 'x'.repeat(3 * 1024 * 1024)
  const answer = await speak(
    port,
    `POST /unsubscribe?token=${ada.token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*You are unsubscribed/)
  assert.equal(await isUnsubscribed(ada), true)
})

slowTest('a request whose body does not end unsubscribes, and is answered after ten seconds', async () => {
  const ada = await reader()
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /unsubscribe?token=${ada.token} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\nList-Unsub`)
  const answered = once(socket, 'data')
  const arrived = new Set<unknown>()
  posthorn.server.server.once('request', (request) => arrived.add(request))
  while (arrived.size === 0) await setImmediate()
  posthorn.clock.advance(11_000)
  assert.match(String((await answered)[0]), /^HTTP\/1\.1 200 /)
  assert.equal(await isUnsubscribed(ada), true)
  socket.destroy()
})

test('opt-outs are not rate-limited, and do not count against the limit of sign-ins', async () => {
  const ada = await reader()
  for (let n = 0; n < 10; n++) assert.equal((await posthorn.anyone.get('/unsubscribe?token=x')).status, 200)
  const { status, headers } = await posthorn.anyone.post(`/unsubscribe?token=${ada.token}`)
  assert.deepEqual([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], [200, '3', '3'])
  assert.equal(await isUnsubscribed(ada), true)
  assert.equal((await posthorn.anyone.get('/health')).status, 200)
})

test('a text that is not a token causes no query', async () => {
  const proxy = databaseProxy()
  after(() => proxy.close())
  const other = await createTestApp({}, { through: (database) => proxy.through(database) })
  proxy.cut()
  for (const token of ['', 'unknown', 'x'.repeat(31), 'x'.repeat(33), `${'x'.repeat(31)}=`, '%00'])
    assert.equal((await other.anyone.post(`/unsubscribe?token=${token}`)).status, 200, token)
  assert.equal((await other.anyone.post(`/unsubscribe?token=${'x'.repeat(32)}`)).status, 503)
  proxy.mend()
})

test('an opt-out among hundreds of unknown tokens takes effect', async () => {
  const [ada, bob] = [await reader(), await reader()]
  const unknown = Array.from({ length: 600 }, (_, index) => `${index}`.padStart(32, 'x'))
  const tokens = [...unknown.slice(300), ada.token, bob.token, ada.token, ...unknown.slice(0, 300)]
  const answers = await Promise.all(tokens.map((token) => posthorn.anyone.post(`/unsubscribe?token=${token}`)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  for (const person of [ada, bob]) {
    assert.equal(await isUnsubscribed(person), true)
    assert.equal((await suppressions(person)).length, 1)
  }
})

test('the page loads no resources, runs no scripts, and can be neither framed nor cached', async () => {
  const { text, headers } = await posthorn.anyone.get('/unsubscribe')
  const policy = headers['content-security-policy']!
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-/)
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(text)!
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64')
  assert.ok(policy.includes(`'sha256-${digest}'`))
  assert.doesNotMatch(text, /<script|src=|https?:|url\(/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})
