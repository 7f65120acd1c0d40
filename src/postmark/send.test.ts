import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Models } from 'postmark'
import { createPostmarkApp, helloFrom } from './fixtures/client.ts'

const { posthorn, client, url } = await createPostmarkApp()

async function setUp() {
  const team = await posthorn.team()
  const read = async (id: string) => (await team.api.get(`/v1/emails/${id}`)).body
  return { team, postmark: client(team.key), hello: helloFrom(team), read }
}

test('a message that Postmark’s client sends is an email of ours', async () => {
  const { postmark, hello, read, team } = await setUp()
  const { To, SubmittedAt, MessageID, ErrorCode, Message } = await postmark.sendEmail({
    ...hello,
    ...{ To: 'ada@example.com, "Bob, Jr" <bob@example.com>', Cc: 'cc@example.com', Bcc: 'bcc@example.com' },
    ...{ HtmlBody: '<p>Hi</p>', Tag: 'receipt', Metadata: { order: '1024' }, MessageStream: 'outbound' },
    ...{ ReplyTo: 'help@example.com', Headers: [{ Name: 'X-Order', Value: '7' }] },
    ...{ TrackOpens: true, TrackLinks: Models.LinkTrackingOptions.HtmlAndText },
    Attachments: [
      { Name: 'hi.txt', Content: 'aGk=', ContentType: 'text/plain', ContentID: null },
      { Name: 'a.png', Content: 'aGk=', ContentType: 'image/png', ContentID: 'cid:logo' },
    ],
  })
  assert.deepEqual([To, ErrorCode, Message], ['ada@example.com, "Bob, Jr" <bob@example.com>', 0, 'OK'])
  assert.equal(SubmittedAt, posthorn.clock.now().toISOString())
  const { from, to, cc, bcc, subject, html, text, tags } = await read(MessageID)
  assert.deepEqual(
    { from, to, cc, bcc, subject, html, text, tags },
    {
      ...{ from: hello.From, to: ['ada@example.com', '"Bob, Jr" <bob@example.com>'], cc: ['cc@example.com'] },
      ...{ bcc: ['bcc@example.com'], subject: 'Hello', html: '<p>Hi</p>', text: 'It works.' },
      tags: { tag: 'receipt', order: '1024' },
    },
  )
  const { data } = (await team.api.get('/v1/inbox')).body
  const letter = (await team.api.get(`/v1/inbox/${data[0].id}`)).text
  for (const part of ['help@example.com', 'X-Order', 'hi.txt', 'a.png']) assert.ok(letter.includes(part), part)
})

test('a message is taken as the packages for Ruby, PHP and .NET send it', async () => {
  const { team, hello, read } = await setUp()
  const names = ['Message-Id', 'Date', 'Mime-Version', 'Content-Transfer-Encoding']
  const body = {
    ...hello,
    Headers: [...names.map((Name) => ({ Name, Value: '1.0' })), { Name: 'X-Order', Value: '7' }],
    Metadata: { order: 1024, paid: true },
    Attachments: [
      { Name: 'my file.txt', Content: 'aGk=', ContentType: 'text/plain', ContentId: 'my file.txt' },
      { Name: 'a.png', Content: 'aGk=', ContentType: 'image/png', ContentId: 'cid:logo', Disposition: 'inline' },
      { Name: 'b.txt', Content: 'aGk=', ContentType: 'text/plain', ContentLength: 2, ContentID: null },
    ],
  }
  const headers = { 'x-postmark-server-token': team.key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/email`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { MessageID } = (await answer.json()) as { MessageID: string }
  assert.equal(answer.status, 200)
  assert.deepEqual((await read(MessageID)).tags, { order: '1024', paid: 'true' })
  assert.equal((await team.api.get(`/v1/emails/${MessageID}/message`)).body.attachments.length, 3)
})

test('in a batch a bad message does not keep the others from being sent', async () => {
  const { postmark, hello, team } = await setUp()
  await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  const to = (To: string) => ({ ...hello, To })
  const foreign = { ...hello, From: 'a@nobodys.test' }
  const bad = [to('nonsense'), to('gone@example.com'), foreign, { ...hello, nonsense: 1 }, 7 as never]
  const answers = await postmark.sendEmailBatch([to('a@example.com'), ...bad, to('b@example.com')])
  assert.deepEqual(
    answers.map(({ ErrorCode }) => ErrorCode),
    [0, 300, 406, 400, 300, 300, 0],
  )
  const [first, ...rest] = answers
  assert.deepEqual(Object.keys(first!), ['To', 'SubmittedAt', 'MessageID', 'ErrorCode', 'Message'])
  assert.deepEqual(Object.keys(rest[0]!), ['ErrorCode', 'Message'])
  assert.match(rest[1]!.Message, /Found inactive addresses: gone@example\.com\./)
  const { data } = (await team.api.get('/v1/emails')).body as { data: { id: string; to: string[] }[] }
  const sent = new Set(data.map(({ id, to }) => `${id} ${to}`))
  assert.deepEqual(sent, new Set([`${first!.MessageID} a@example.com`, `${rest.at(-1)!.MessageID} b@example.com`]))
})

test('a batch that is repeated with its key sends only what was not sent', async () => {
  const { hello, team } = await setUp()
  const suppression = await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  const body = JSON.stringify([hello, { ...hello, To: 'gone@example.com' }])
  const send = async () => {
    const headers = { 'x-postmark-server-token': team.key, 'idempotency-key': 'a', 'content-type': 'application/json' }
    const answer = await fetch(`${url}/email/batch`, { method: 'POST', headers, body })
    return (await answer.json()) as { ErrorCode: number; MessageID?: string }[]
  }
  const first = await send()
  assert.deepEqual([first[0]!.ErrorCode, first[1]!.ErrorCode], [0, 406])
  await team.api.delete(`/v1/suppressions/${suppression.body.id}`)
  const again = await send()
  assert.deepEqual([again[0], again[1]!.ErrorCode], [first[0], 0])
  assert.equal((await team.api.get('/v1/emails')).body.total, 2)
})

test('each message of a batch counts against the limits by itself', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 2 } })
  const hello = helloFrom(team)
  const answers = await client(team.key).sendEmailBatch([hello, hello, hello])
  assert.deepEqual(answers.map(({ ErrorCode }) => ErrorCode).sort(), [0, 0, 429])
})

test('a test key keeps the message in the inbox, and a sending key is enough', async () => {
  const { team, hello } = await setUp()
  const sending = await team.newKey()
  assert.equal((await client(sending.key).sendEmail(hello)).ErrorCode, 0)
  const inTest = await team.newKey({ mode: 'test' })
  const { MessageID } = await client(inTest.key).sendEmail({ ...hello, From: 'any@example.org' })
  assert.equal((await inTest.api.get(`/v1/emails/${MessageID}`)).body.mode, 'test')
})
