import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const { posthorn, client, baseUrl, setUp } = await createResendApp()

async function raw(path: string, init: RequestInit, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const answer = await fetch(`${baseUrl}${path}`, { ...init, headers })
  const body = (await answer.json()) as Record<string, string | number>
  return { status: answer.status, body, headers: answer.headers }
}

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('keys are refused as Resend refuses them', async () => {
  const { team } = await setUp()
  const { status, body } = await raw('/emails', { method: 'POST', body: '{}' })
  assert.deepEqual([status, body.statusCode, body.name], [401, 401, 'missing_api_key'])
  assert.deepEqual(Object.keys(body), ['statusCode', 'name', 'message'])
  const unknown = await refused(client('re_123').emails.list())
  assert.deepEqual(unknown.slice(0, 2), [403, 'invalid_api_key'])
  assert.match(unknown[2], /^This is no API key of Posthorn: they begin with ph_\./)
  const none = await refused(client(`ph_${'0'.repeat(40)}`).emails.list())
  assert.deepEqual(none.slice(0, 2), [403, 'invalid_api_key'])
  const sending = await team.newKey()
  assert.ok((await given(client(sending.key).emails.send(helloFrom(team)))).id)
})

test('what is missing or bad in an email is named', async () => {
  const { resend, hello } = await setUp()
  const cases: [object, [number, string, RegExp]][] = [
    [{ from: undefined }, [422, 'missing_required_field', /^Missing `from` field\.$/]],
    [{ to: undefined }, [422, 'missing_required_field', /^Missing `to` field\.$/]],
    [{ subject: undefined }, [422, 'missing_required_field', /`subject`/]],
    [{ text: undefined }, [422, 'missing_required_field', /`html` or `text`/]],
    [{ to: 'nonsense' }, [422, 'validation_error', /`to\[0\]`/]],
    [{ to: [] }, [422, 'validation_error', /`to`.*at least one/]],
    [{ attachments: [{ filename: true, content: 'YQ==' }] }, [422, 'invalid_attachment', /filename/]],
    [{ to: 7 }, [422, 'validation_error', /^The `to` field must be a string or a list; it was a number\.$/]],
    [
      { to: ['a@example.com', 7] },
      [422, 'validation_error', /^The `to\[1\]` field must be a string; it was a number\.$/],
    ],
    [
      { to: Array(51).fill('a@example.com') },
      [422, 'validation_error', /^The `to` field must have at most 50 elements\.$/],
    ],
    [{ replyTo: 'nonsense' }, [422, 'validation_error', /`reply_to`/]],
    [{ scheduledAt: 'soon' }, [422, 'validation_error', /`scheduled_at`/]],
    [{ tags: [{ name: 'a b', value: 'c' }] }, [422, 'validation_error', /`tags\[0\]\.name`/]],
    [{ attachments: [{ filename: 'a.txt', content: 'not base64!' }] }, [422, 'invalid_attachment', /attachments\[0\]/]],
    [{ attachments: [{ filename: 'a.txt' }] }, [422, 'invalid_attachment', /content or path/]],
    [{ attachments: [{ path: 'http://127.0.0.1:9/a.txt' }] }, [422, 'invalid_attachment', /attachments\[0\]\.path/]],
    [{ from: 'a@nobodys.test' }, [403, 'validation_error', /not a verified domain/]],
    [{ text: undefined, template: { id: 'welcome' } }, [422, 'validation_error', /template/]],
    [{ topicId: unknownId }, [422, 'validation_error', /`topic_id`/]],
  ]
  for (const [change, [status, name, message]] of cases) {
    const email = { ...hello, ...change } as typeof hello
    const error = await refused(resend.emails.send(email))
    assert.deepEqual(error.slice(0, 2), [status, name], JSON.stringify([change, error]))
    assert.match(error[2], message)
  }
})

test('broken JSON, unknown fields, ids, paths and methods are refused as Resend refuses them', async () => {
  const { team } = await setUp()
  const cases: [string, RequestInit, number, string][] = [
    ['/emails', { method: 'POST', body: '{"from":' }, 400, 'validation_error'],
    ['/emails', { method: 'POST', body: '{"nonsense":1}' }, 422, 'missing_required_field'],
    ['/emails?nonsense=1', {}, 422, 'validation_error'],
    ['/emails/42', {}, 422, 'invalid_parameter'],
    [`/emails/${unknownId}`, {}, 404, 'not_found'],
    ['/nonsense', {}, 404, 'not_found'],
    ['/emails', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['/emails/receiving', {}, 501, 'application_error'],
    ['/automations', { method: 'POST', body: '{}' }, 501, 'application_error'],
  ]
  for (const [path, init, status, name] of cases) {
    const answer = await raw(path, init, team.key)
    assert.deepEqual([answer.status, answer.body.statusCode, answer.body.name], [status, status, name], path)
  }
  const hello = { ...helloFrom(team), nonsense: 1 }
  const answer = await raw('/emails', { method: 'POST', body: JSON.stringify(hello) }, team.key)
  assert.deepEqual([answer.status, answer.body.name], [422, 'validation_error'])
  assert.match(String(answer.body.message), /`nonsense`/)
})

test('every answer tells of the limit of requests, as Resend and as we do', async () => {
  const { team } = await setUp()
  for (const path of ['/emails', '/nonsense']) {
    const { headers } = await raw(path, {}, team.key)
    assert.equal(headers.get('ratelimit-limit'), headers.get('x-ratelimit-limit'))
    assert.equal(headers.get('ratelimit-remaining'), headers.get('x-ratelimit-remaining'))
    assert.match(headers.get('ratelimit-reset')!, /^([0-9]|[1-5][0-9]|60)$/)
  }
})

test('limits of requests and of the day are refused with the time to wait', async () => {
  const day = await setUp({ limits: { dailyEmailLimit: 1 } })
  await given(day.resend.emails.send(day.hello))
  const { data: _data, error, headers } = await day.resend.emails.send(day.hello)
  assert.deepEqual([error?.statusCode, error?.name], [429, 'daily_quota_exceeded'])
  assert.match(headers!['retry-after']!, /^[1-9]\d*$/)
  const few = await setUp({ limits: { apiRequestsPerMinute: 1 } })
  await few.resend.emails.list()
  const past = await few.resend.emails.list()
  assert.deepEqual([past.error?.statusCode, past.error?.name], [429, 'rate_limit_exceeded'])
  assert.match(past.headers!['retry-after']!, /^[1-9]\d*$/)
})

test('a suppressed recipient is refused', async () => {
  const { resend, hello, team } = await setUp()
  await team.api.post('/v1/suppressions', { email: 'ada@example.com' })
  const error = await refused(resend.emails.send(hello))
  assert.deepEqual(error.slice(0, 2), [422, 'validation_error'])
})

test('while the process is shutting down, requests are refused as Resend refuses them', async () => {
  const { team } = await setUp()
  const another = await posthorn.another()
  another.drain()
  const { statusCode, body } = await another.server
    .inject({ url: '/resend/emails', headers: { authorization: `Bearer ${team.key}` } })
    .then((answer) => ({ statusCode: answer.statusCode, body: answer.json() }))
  assert.deepEqual([statusCode, body.name], [503, 'application_error'])
})
