import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  Posthorn,
  type PosthornError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  ValidationError,
} from '../../sdk/src/index.ts'
import { fetchFrom, newClient } from './server.ts'

const email = (domain: string, subject = 'Hello') => ({
  from: `hello@${domain}`,
  to: 'ada@example.com',
  subject,
  text: 'It works.',
})

test('an email is sent, found, and listed, with recipients as text and files as bytes', async () => {
  const { team, posthorn } = await newClient()
  const attachments = [
    { filename: 'a.bin', content: new Uint8Array([1, 2, 3]) },
    { filename: 'b.txt', content: new Blob(['hello']) },
    { filename: 'c.txt', content: btoa('base64') },
  ]
  const { id, to } = await posthorn.emails.send({ ...email(team.domain), attachments })
  assert.deepEqual(to, ['ada@example.com'])
  const { subject } = await posthorn.emails.get(id)
  assert.equal(subject, 'Hello')
  const contents = await Promise.all(['0', '1', '2'].map((n) => posthorn.emails.attachment(id, n)))
  assert.deepEqual([...contents[0]!], [1, 2, 3])
  assert.deepEqual(
    contents.slice(1).map((bytes) => new TextDecoder().decode(bytes)),
    ['hello', 'base64'],
  )
  assert.equal((await posthorn.emails.list({ recipient: 'ada@example.com' })).data[0]!.id, id)
})

test('a batch is sent, and a time may be a Date', async () => {
  const { team, posthorn, app } = await newClient()
  const later = new Date(app.clock.now().getTime() + 3_600_000)
  const { data } = await posthorn.emails.sendBatch([email(team.domain), { ...email(team.domain), scheduledAt: later }])
  assert.deepEqual(
    data.map(({ scheduledAt }) => scheduledAt),
    [null, later.toISOString()],
  )
})

test('React is rendered by the function that the constructor got, and refused without one', async () => {
  const render = async (react: unknown) => `<p>${(react as { name: string }).name}</p>`
  const { team, posthorn } = await newClient(undefined, { render })
  const { id } = await posthorn.emails.send({ ...email(team.domain), react: { name: 'Ada' } })
  assert.equal((await posthorn.emails.get(id)).html, '<p>Ada</p>')
  const without = await newClient()
  await assert.rejects(async () => without.posthorn.emails.send({ ...email(team.domain), react: {} }), /render/)
})

test('a list is a page when it is awaited, and all rows when it is iterated', async () => {
  const { team, posthorn } = await newClient()
  for (let n = 0; n < 5; n++) await posthorn.emails.send(email(team.domain, `Number ${n}`))
  const page = await posthorn.emails.list({ limit: 2 })
  assert.deepEqual([page.data.length, page.hasMore, page.total], [2, true, 5])
  const second = await page.next()
  const third = await second!.next()
  assert.deepEqual([second!.data.length, third!.data.length, await third!.next()], [2, 1, null])
  const subjects: string[] = []
  for await (const { subject } of posthorn.emails.list({ limit: 2 })) subjects.push(subject)
  assert.deepEqual(
    subjects,
    [4, 3, 2, 1, 0].map((n) => `Number ${n}`),
  )
  assert.equal((await posthorn.emails.list({ limit: 2 }).all({ max: 3 })).length, 3)
  assert.equal((await posthorn.emails.list({ limit: 2 }).all()).length, 5)
})

test('answers come with their headers and request id, or as a result that does not throw', async () => {
  const { team, posthorn } = await newClient()
  const { data, status, requestId, headers } = await posthorn.emails.send(email(team.domain)).withResponse()
  assert.deepEqual([status, data.subject, requestId], [200, 'Hello', headers.get('x-request-id')])
  const sent = await posthorn.emails.send(email(team.domain)).result()
  assert.deepEqual([sent.error, sent.data!.subject], [null, 'Hello'])
  const refused = await posthorn.emails.send(email('other.test')).result()
  assert.equal(refused.data, null)
  assert.ok(refused.error instanceof PermissionError)
  assert.equal(refused.error.name, 'domain_not_verified')
})

test('each kind of refusal is an error of its own, with what the server said', async () => {
  const { team, posthorn } = await newClient()
  await assert.rejects(posthorn.emails.send({ ...email(team.domain), to: 'nobody' }), (error: PosthornError) => {
    assert.ok(error instanceof ValidationError)
    assert.deepEqual([error.status, error.name, error.errors[0]!.path], [400, 'validation_error', 'to[0]'])
    assert.match(error.requestId!, /^[0-9a-f-]{36}$/)
    return true
  })
  await assert.rejects(posthorn.emails.get('01890a5d-ac96-774b-bcce-b302099a8057'), NotFoundError)
  await assert.rejects(
    posthorn.emails.list({}, { headers: { authorization: 'Bearer ph_unknown' } }),
    AuthenticationError,
  )
  const batch = await posthorn.emails.sendBatch([email(team.domain), { ...email(team.domain), to: 'x' }]).result()
  assert.ok(batch.error instanceof ValidationError && /to\[0\]/.test(batch.error.message))
  const page = new Posthorn('k', {
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    retries: 0,
  })
  await assert.rejects(page.limits.get(), (error: PosthornError) => {
    assert.deepEqual([error instanceof ServerError, error.name, error.body], [true, 'http_502', '<h1>Bad gateway</h1>'])
    return true
  })
})

test('a refusal with a body of its own keeps the name and the message that it has', async () => {
  const refusedWith = async (status: number, said: object) => {
    const posthorn = new Posthorn('k', { fetch: async () => Response.json(said, { status }), retries: 0 })
    const { error } = await posthorn.sms.list().result()
    return error!
  }
  const abroad = { error: 'UNSUPPORTED_DESTINATION_COUNTRY', message: 'SMS to +7… is not supported.', index: 2 }
  const unsupported = await refusedWith(422, abroad)
  assert.ok(unsupported instanceof UnprocessableError)
  assert.deepEqual([unsupported.name, unsupported.message], [abroad.error, abroad.message])
  const spent = await refusedWith(429, { error: 'DAILY_SMS_LIMIT_EXCEEDED', limit: 5, remaining: 0 })
  assert.ok(spent instanceof RateLimitError)
  assert.equal(spent.name, 'DAILY_SMS_LIMIT_EXCEEDED')
  assert.equal(spent.message, 'Daily sms limit exceeded: limit 5, remaining 0.')
  const batch = await refusedWith(400, { error: 'to[0]: must be an address', index: 3 })
  assert.deepEqual([batch.name, batch.message], ['validation_error', 'to[0]: must be an address'])
})

test('nothing that cannot be reached is a TypeError, and a slow answer is a TimeoutError', async () => {
  const gone = new Posthorn('ph_x', { baseUrl: 'http://127.0.0.1:9', retries: 0 })
  const error = await gone.emails.list().result()
  assert.ok(error.error instanceof ConnectionError && !(error.error instanceof TimeoutError))
  assert.match(error.error.message, /^GET http:\/\/127\.0\.0\.1:9\/v1\/emails got no answer/)
  const never: typeof fetch = (_, init) =>
    new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)))
  const slow = new Posthorn('ph_x', { fetch: never, retries: 0, timeoutMs: 5 })
  await assert.rejects(slow.emails.list(), TimeoutError)
})

test('a time limit of Infinity, or longer than a timer lasts, is no limit', async () => {
  const soon: typeof fetch = (_, init) =>
    new Promise((resolve, reject) => {
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason))
      setTimeout(() => resolve(Response.json({ data: [], cursor: null, hasMore: false })), 20)
    })
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    const patient = new Posthorn('ph_x', { fetch: soon, retries: 0, timeoutMs })
    assert.deepEqual((await patient.emails.list()).data, [])
    assert.deepEqual((await patient.emails.list({}, { timeoutMs })).data, [])
  }
})

test('an abort throws the reason of its signal, also between two attempts', async () => {
  const reason = new Error('the user left')
  const busy = new Posthorn('ph_x', {
    fetch: async () => new Response('', { status: 503, headers: { 'retry-after': '50' } }),
  })
  const controller = new AbortController()
  const list = busy.emails.list({}, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await assert.rejects(list, reason)
  const told = await busy.emails.list({}, { signal: AbortSignal.abort(reason) }).result()
  assert.deepEqual([told.error!.name, told.error!.cause], ['not_made', reason])
})

test('a key is trimmed, and one that no header can carry is refused before a request', async () => {
  const { app, team } = await newClient()
  assert.throws(() => new Posthorn('ph_ключ'), /character that no key has/)
  const posthorn = new Posthorn(` ${team.key}\n`, { fetch: fetchFrom(app) })
  assert.equal((await posthorn.limits.get()).tier.plan, 'enterprise')
})

test('a key is not passed on to where a server redirects, and a page that is not JSON is an error of the URL', async () => {
  const asked: string[] = []
  const moved: typeof fetch = async (url, init) => {
    asked.push(`${url} ${init!.redirect}`)
    return new Response(null, { status: 308, headers: { location: 'https://elsewhere.test/v1/limits?x=1' } })
  }
  const { error } = await new Posthorn('ph_x', { baseUrl: 'http://here.test/', fetch: moved }).limits.get().result()
  assert.deepEqual([error!.name, error!.status], ['redirected', 308])
  assert.match(error!.message, /redirected to https:\/\/elsewhere\.test\/v1\/limits\. Give the URL/)
  assert.deepEqual(asked, ['http://here.test/v1/rate-limits manual'])
  const page = new Posthorn('ph_x', { fetch: async () => new Response('<h1>Welcome</h1>') })
  const told = await page.limits.get().result()
  assert.deepEqual([told.error!.name, told.error!.body], ['not_json', '<h1>Welcome</h1>'])
  const withQuery = () => new Posthorn('ph_x', { baseUrl: 'http://here.test/?mode=test' })
  assert.throws(withQuery, /baseUrl has neither a query nor a fragment; it was "http:\/\/here\.test\/\?mode=test"/)
})

test('request() asks any path, and gives the text of an answer that is not JSON', async () => {
  const { team, posthorn } = await newClient()
  const { id } = await posthorn.emails.send(email(team.domain))
  const listed = await posthorn.request<{ total: number }>('GET', '/v1/emails?limit=1', {
    query: { status: 'delivered' },
  })
  assert.equal(listed.total, 1)
  assert.match(await posthorn.request<string>('GET', `/v1/emails/${id}/preview`), /It works\./)
  await assert.rejects(posthorn.request('GET', 'v1/emails'), /begins with a slash/)
})

test('a URL that is none is refused at once, and an empty setting is none', async (t) => {
  assert.throws(() => new Posthorn('ph_x', { baseUrl: 'mail.example.com' }), /begins with http/)
  t.after(() => delete process.env.POSTHORN_URL)
  process.env.POSTHORN_URL = ''
  const asked: string[] = []
  const fetched: typeof fetch = async (url) => {
    asked.push(String(url))
    return Response.json({})
  }
  await new Posthorn('ph_x', { fetch: fetched }).limits.get()
  assert.deepEqual(asked, ['http://localhost:3000/v1/rate-limits'])
})

test('a list of no rows still tells of a refusal', async () => {
  const { posthorn } = await newClient()
  const refused = posthorn.emails.list({}, { headers: { Authorization: 'Bearer ph_unknown' } })
  await assert.rejects(refused.all({ max: 0 }), AuthenticationError)
})

test('SMS are sent as a list, as emails are, or as the body of the operation', async () => {
  const bodies: string[] = []
  const note = async (request: Request) => Response.json(bodies.push(await request.text()))
  const posthorn = new Posthorn('k', { fetch: (input, init) => note(new Request(input, init)) })
  const messages = [{ to: '+61400000000', body: 'Hello', senderId: 'Shop' }]
  await posthorn.sms.sendBatch(messages)
  await posthorn.sms.sendBatch({ messages })
  assert.deepEqual(bodies, Array(2).fill(JSON.stringify({ messages })))
})
