import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSendgridApp, helloFrom, sent, withIdempotencyKey } from './fixtures/client.ts'

const { posthorn, client, url } = await createSendgridApp()

async function setUp() {
  const team = await posthorn.team()
  const read = async (id: string) => (await team.api.get(`/v1/emails/${id}`)).body
  const letters = async () => {
    const { data } = (await team.api.get('/v1/inbox')).body as { data: { id: string }[] }
    return Promise.all(data.map(async ({ id }) => (await team.api.get(`/v1/inbox/${id}`)).body))
  }
  return { team, sendgrid: client(team.key), hello: helloFrom(team), read, letters }
}

test('an email that SendGrid’s client sends is an email of ours, and its id is in x-message-id', async () => {
  const { team, sendgrid, hello, read, letters } = await setUp()
  const email = {
    ...hello,
    ...{ cc: 'cc@example.com', bcc: ['bcc@example.com'], html: '<p>Hi</p>' },
    ...{ replyToList: [{ email: 'help@example.com' }, { email: 'desk@example.com', name: 'Desk, Help' }] },
    ...{ categories: ['receipt', 'autumn'], customArgs: { order: '1024' }, headers: { 'X-Order': '7' } },
    attachments: [
      { content: 'aGk=', filename: 'hi.txt', type: 'text/plain', disposition: 'attachment' },
      { content: 'aGk=', filename: 'a.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
    ],
  }
  const { status, body, id } = await sent(sendgrid, email)
  assert.deepEqual([status, body], [202, ''])
  const { from, to, cc, bcc, subject, html, text, tags } = await read(id)
  assert.deepEqual(
    { from, to, cc, bcc, subject, html, text },
    {
      ...{ from: `Shop <${hello.from.email}>`, to: ['ada@example.com'], cc: ['cc@example.com'] },
      ...{ bcc: ['bcc@example.com'], subject: 'Hello', html: '<p>Hi</p>', text: 'It works.' },
    },
  )
  assert.deepEqual(tags, { category: 'receipt', category_2: 'autumn', order: '1024' })
  const [letter] = await letters()
  for (const part of ['help@example.com', 'desk@example.com', 'X-Order', 'hi.txt', 'a.png']) {
    assert.ok(JSON.stringify(letter).includes(part), part)
  }
  const { attachments } = (await team.api.get(`/v1/emails/${id}/message`)).body
  assert.ok(attachments.some(({ contentId }: { contentId: string | null }) => contentId === 'logo'))
})

test('each personalization is a message of its own', async () => {
  const { sendgrid, hello, team, letters } = await setUp()
  const { to: _to, ...common } = hello
  await sent(sendgrid, {
    ...common,
    ...{ subject: 'Hello -name-', text: 'For -name-.', html: '<b>-name-</b>', customArgs: { list: 'autumn', n: '0' } },
    ...{ substitutionWrappers: ['-', '-'], headers: { 'X-A': 'all' } },
    personalizations: [
      { to: 'ada@example.com', substitutions: { name: 'Ada' }, customArgs: { n: '1' }, headers: { 'X-A': 'ada' } },
      { to: ['bob@example.com', 'eve@example.com'], subject: 'Only -name-', substitutions: { name: '$& -name-' } },
    ],
  })
  const { data } = (await team.api.get('/v1/emails')).body
  assert.deepEqual(
    data.map(({ to, subject }: { to: string[]; subject: string }) => [to, subject]),
    [
      [['bob@example.com', 'eve@example.com'], 'Only $& -name-'],
      [['ada@example.com'], 'Hello Ada'],
    ],
  )
  const read = await Promise.all(
    data.map(async ({ id }: { id: string }) => (await team.api.get(`/v1/emails/${id}`)).body),
  )
  assert.deepEqual(
    read.map(({ text, html, tags }) => ({ text, html, tags })),
    [
      { text: 'For $& -name-.', html: '<b>$& -name-</b>', tags: { list: 'autumn', n: '0' } },
      { text: 'For Ada.', html: '<b>Ada</b>', tags: { list: 'autumn', n: '1' } },
    ],
  )
  const headers = (await letters()).map(({ headers }) => headers['X-A'])
  assert.deepEqual(headers, ['all', 'ada'])
})

test('a published template is filled with the data of a personalization', async () => {
  const { sendgrid, hello, team, read } = await setUp()
  const html = '<p>Hi {{user.name}}, {{count}} left</p>'
  const { body: template } = await team.api.post('/v1/templates', { name: 'Welcome', html, text: 'Hi {{user.name}}' })
  await team.api.patch(`/v1/templates/${template.id}`, { status: 'published' })
  const { text: _text, ...common } = hello
  const data = { user: { name: 'Ada' }, count: 3 }
  for (const templateId of [`d-${template.id}`, `d-${template.id.replaceAll('-', '')}`]) {
    const { id } = await sent(sendgrid, { ...common, templateId, dynamicTemplateData: data })
    assert.equal((await read(id)).html, '<p>Hi Ada, 3 left</p>')
  }
})

test('an email waits until send_at', async () => {
  const { sendgrid, hello, read } = await setUp()
  const at = Math.floor(posthorn.clock.now().getTime() / 1000) + 3600
  const { id } = await sent(sendgrid, { ...hello, sendAt: at })
  const { status, scheduledAt } = await read(id)
  assert.deepEqual([status, scheduledAt], ['scheduled', new Date(at * 1000).toISOString()])
})

test('in sandbox mode an email is checked and not sent', async () => {
  const { sendgrid, hello, team } = await setUp()
  const mailSettings = { sandboxMode: { enable: true } }
  assert.equal((await sent(sendgrid, { ...hello, mailSettings })).status, 200)
  await team.api.post('/v1/suppressions', { email: 'gone@example.com' })
  await assert.rejects(sendgrid.send({ ...hello, to: 'gone@example.com', mailSettings } as never), { code: 400 })
  await assert.rejects(sendgrid.send({ ...hello, from: 'a@nobodys.test', mailSettings } as never), { code: 403 })
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})

test('a request that is repeated with its key is sent once', async () => {
  const { team, hello } = await setUp()
  const first = await sent(withIdempotencyKey(client(team.key), 'order-1'), hello)
  const again = await sent(withIdempotencyKey(client(team.key), 'order-1'), hello)
  assert.deepEqual(again, first)
  assert.equal((await team.api.get('/v1/emails')).body.total, 1)
})

test('a test key keeps the email in the inbox, and a sending key is enough', async () => {
  const { team, hello } = await setUp()
  const sending = await team.newKey()
  assert.equal((await sent(client(sending.key), hello)).status, 202)
  const inTest = await team.newKey({ mode: 'test' })
  const { id } = await sent(client(inTest.key), { ...hello, from: 'any@example.org' })
  assert.equal((await inTest.api.get(`/v1/emails/${id}`)).body.mode, 'test')
})

test('what is written for curl works: plain JSON and a bearer key', async () => {
  const { team, hello } = await setUp()
  const { from, subject, text } = hello
  const body = { personalizations: [{ to: [{ email: 'ada@example.com' }] }], from, subject }
  const content = [{ type: 'text/plain', value: text }]
  const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ ...body, content }) }
  const answer = await fetch(`${url}/v3/mail/send`, init)
  assert.deepEqual([answer.status, await answer.text()], [202, ''])
  assert.match(answer.headers.get('x-message-id')!, /^[0-9a-f-]{36}$/)
})

test('of substitutions that begin alike the longest is made, and none reads another’s value', async () => {
  const { sendgrid, hello, read } = await setUp()
  const substitutions = { '%a%': '1', '%a%b': '2', '%a%bc.*': '3', x: '%a%', '': 'never' }
  const personalizations = [{ to: 'ada@example.com', substitutions }]
  const { to: _to, ...common } = hello
  const mail = { ...common, personalizations, substitutionWrappers: ['', ''], text: '%a%bc.*|%a%bc|%a%b|%a%|%a|x' }
  const { id } = await sent(sendgrid, mail)
  assert.equal((await read(id)).text, '3|2c|2|1|%a|%a%')
})

test('substitutions that would fill the memory or compare without end are refused', async () => {
  const { team, hello } = await setUp()
  const post = async (personalizations: object[], value: string, more = {}) => {
    const { from, subject } = hello
    const to = [{ email: 'ada@example.com' }]
    const body = {
      ...{ from, subject, content: [{ type: 'text/plain', value }] },
      personalizations: personalizations.map((one) => ({ to, ...one })),
      ...more,
    }
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v3/mail/send`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { errors } = (await answer.json()) as { errors: { field: string; message: string }[] }
    return [answer.status, errors[0]!.field, errors[0]!.message]
  }
  const long = `%x%${'a'.repeat(1_000_000)}`
  const many = (count: number) => Array.from({ length: count }, () => ({ substitutions: { '%x%': 'y' } }))
  const [tooMany, tooLarge] = [await post(many(1000), long), await post(many(60), long)]
  assert.deepEqual(tooMany.slice(0, 2), [400, 'personalizations'])
  assert.match(String(tooMany[2]), /at most 100 on the plan/)
  assert.deepEqual(tooLarge.slice(0, 2), [400, 'personalizations'])
  assert.match(String(tooLarge[2]), /more than 40 MiB/)
  const [status, field] = await post([{ substitutions: { [`b${'a'.repeat(200)}`]: 'y' } }], long)
  assert.deepEqual([status, field], [400, 'personalizations.0.substitutions'])
  const subject = '%x%'.repeat(300)
  const long998 = await post([{ subject, substitutions: { '%x%': 'a'.repeat(1000) } }], 'Hello')
  assert.deepEqual(long998.slice(0, 2), [400, 'subject'])
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`X-Own-${index}`, 'a']))
  assert.equal((await post([{ headers }], 'Hello', { headers: { 'X-Ours': 'a' } }))[1], 'headers')
})
