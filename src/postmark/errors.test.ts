import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Errors } from 'postmark'
import { createPostmarkApp, helloFrom, refused } from './fixtures/client.ts'

const { posthorn, client, url } = await createPostmarkApp()

async function setUp(limits = {}) {
  const team = await posthorn.team({ limits })
  return { team, postmark: client(team.key), hello: helloFrom(team) }
}

async function raw(method: string, path: string, body: string | null, headers: Record<string, string>) {
  const sent = { ...headers, ...(body !== null && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${url}${path}`, { method, headers: sent, body })
  return { status: answer.status, body: (await answer.json()) as { ErrorCode: number; Message: string } }
}

test('only the header X-Postmark-Server-Token names the key', async () => {
  const { team, hello } = await setUp()
  assert.deepEqual((await refused(client(`ph_${'0'.repeat(40)}`), hello)).slice(0, 2), [401, 10])
  const none = await raw('POST', '/email', JSON.stringify(hello), { authorization: `Bearer ${team.key}` })
  assert.deepEqual([none.status, none.body.ErrorCode], [401, 10])
  assert.match(none.body.Message, /X-Postmark-Server-Token/)
  assert.deepEqual(Object.keys(none.body), ['ErrorCode', 'Message'])
})

test('what is missing or bad in a message is named as Postmark names it', async () => {
  const { postmark, hello } = await setUp()
  const attachment = { Name: 'a', Content: 'aGk=', ContentType: 'text/plain', ContentID: null }
  const cases: [object, number, RegExp][] = [
    [{ To: '' }, 300, /^To: is required/],
    [{ To: 'nonsense' }, 300, /^To: must be one address/],
    [{ From: 'nonsense' }, 300, /^From: must be one address/],
    [{ From: undefined }, 300, /^From: is required/],
    [{ From: 'a@nobodys.test' }, 400, /not a verified domain/],
    [{ TextBody: undefined }, 300, /^HtmlBody or TextBody: is required/],
    [{ ReplyTo: 'nonsense' }, 300, /^ReplyTo: /],
    [{ Headers: [{ Name: 'X-PM-Tag', Value: 'x' }] }, 300, /^Headers\.X-PM-Tag: /],
    [{ Attachments: [{ ...attachment, ContentType: 'nonsense' }] }, 300, /^Attachments\[0\]\.ContentType: /],
    [{ Attachments: [{ ...attachment, Content: 'not base64!' }] }, 300, /^Attachments\[0\]\.Content: /],
    [{ MessageStream: 'broadcast' }, 300, /^MessageStream: .*POST \/v1\/broadcasts/],
    [{ Tag: 'a', Metadata: { tag: 'b' } }, 300, /^Metadata\.tag: /],
    [{ nonsense: 1 }, 300, /^nonsense: is not a known field/],
  ]
  for (const [change, code, message] of cases) {
    const error = await refused(postmark, { ...hello, ...change })
    assert.deepEqual(error.slice(0, 2), [422, code], JSON.stringify([change, error]))
    assert.match(error[2], message)
  }
})

test('Postmark’s client finds the suppressed recipients in the refusal', async () => {
  const { postmark, hello, team } = await setUp()
  for (const email of ['gone@example.com', 'left@example.com']) await team.api.post('/v1/suppressions', { email })
  const To = 'ada@example.com, gone@example.com, left@example.com'
  await assert.rejects(postmark.sendEmail({ ...hello, To }), (error) => {
    assert.ok(error instanceof Errors.InactiveRecipientsError)
    assert.deepEqual([error.statusCode, error.code], [422, 406])
    assert.deepEqual(error.recipients, ['gone@example.com', 'left@example.com'])
    return true
  })
})

test('a message that asks not to be tracked is refused if its domain tracks', async () => {
  const { postmark, hello, team } = await setUp()
  const untracked = { ...hello, TrackOpens: false, TrackLinks: 'None' as never }
  assert.equal((await postmark.sendEmail(untracked)).ErrorCode, 0)
  await team.api.patch(`/v1/domains/${team.domainId}`, { clickTracking: true })
  const [status, code, message] = await refused(postmark, untracked)
  assert.deepEqual([status, code], [422, 300])
  assert.match(message, /^TrackLinks: .*PATCH \/v1\/domains/)
})

test('limits are refused with 429', async () => {
  const { postmark, hello } = await setUp({ dailyEmailLimit: 1 })
  await postmark.sendEmail(hello)
  assert.deepEqual((await refused(postmark, hello)).slice(0, 2), [429, 429])
  const few = await setUp({ apiRequestsPerMinute: 1 })
  await few.postmark.sendEmail(few.hello)
  assert.deepEqual((await refused(few.postmark, few.hello)).slice(0, 2), [429, 429])
})

test('paths, methods, broken JSON and batches that are too large are refused in the same form', async () => {
  const { team } = await setUp()
  const token = { 'x-postmark-server-token': team.key }
  const cases: [string, string, string | null, number, number][] = [
    ['GET', '/email', null, 405, 300],
    ['GET', '/nonsense', null, 404, 404],
    ['POST', '/email/withTemplate', '{}', 501, 300],
    ['GET', '/bounces', null, 501, 300],
    ['POST', '/email', '{"From":', 422, 402],
    ['POST', '/email', '', 422, 409],
    ['POST', '/email', null, 422, 409],
    ['POST', '/email/batch', null, 422, 409],
    ['POST', '/email', '[]', 422, 300],
    ['POST', '/email/batch', '{}', 422, 300],
    ['POST', '/email/batch', '[]', 422, 300],
    ['POST', '/email/batch', JSON.stringify(Array(501).fill({})), 422, 410],
  ]
  for (const [method, path, body, status, code] of cases) {
    const answer = await raw(method, path, body, token)
    assert.deepEqual([answer.status, answer.body.ErrorCode], [status, code], `${method} ${path} ${body?.slice(0, 20)}`)
    assert.deepEqual(Object.keys(answer.body), ['ErrorCode', 'Message'])
  }
  const form = { ...token, 'content-type': 'text/plain' }
  const answer = await fetch(`${url}/email`, { method: 'POST', headers: form, body: 'x' })
  assert.deepEqual([answer.status, ((await answer.json()) as { ErrorCode: number }).ErrorCode], [422, 409])
})

test('an entry of a batch that is no message is refused at its place', async () => {
  const { team, hello } = await setUp()
  const { status, body } = await raw('POST', '/email/batch', JSON.stringify([null, hello]), {
    'x-postmark-server-token': team.key,
  })
  const [refusal, sent] = body as unknown as { ErrorCode: number; Message: string }[]
  assert.equal(status, 200)
  assert.deepEqual(refusal, { ErrorCode: 300, Message: 'message: must be an object; it was null' })
  assert.equal(sent!.ErrorCode, 0)
})
