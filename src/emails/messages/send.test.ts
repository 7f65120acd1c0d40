import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()

function email(change: Record<string, unknown> = {}, { domain }: TestTeam = team) {
  return {
    from: `Shop <hello@${domain}>`,
    to: ['ada@example.com'],
    subject: 'Hello',
    html: '<p>It works.</p>',
    ...change,
  }
}

const addresses = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}@example.com`)

async function eventTypes(id: string): Promise<string[]> {
  const events = await team.api.get(`/v1/emails/${id}/events`)
  return events.body.map((event: { type: string }) => event.type)
}

test('an email is answered as sent with exactly the specified fields, and becomes delivered', async () => {
  const sent = await team.api.post('/v1/emails', email({ cc: ['Grace <grace@example.com>'] }))
  assert.equal(sent.status, 200, sent.text)
  const fields = [
    'bcc',
    'cc',
    'createdAt',
    'from',
    'html',
    'id',
    'mode',
    'scheduledAt',
    'status',
    'subject',
    'tags',
    'text',
    'to',
  ]
  assert.deepEqual(Object.keys(sent.body).sort(), fields)
  assert.deepEqual([sent.body.status, sent.body.bcc, sent.body.text], ['sent', null, null])
  assert.deepEqual(sent.body.cc, ['Grace <grace@example.com>'])
  const read = await team.api.get(`/v1/emails/${sent.body.id}`)
  assert.deepEqual(read.body, { ...sent.body, status: 'delivered' })
  assert.deepEqual(await eventTypes(sent.body.id), ['delivered', 'sent'])
})

test('the inbox stores the message as it is sent, without bcc and with a DKIM signature', async () => {
  const sent = await team.api.post('/v1/emails', email({ bcc: ['secret@example.com'], headers: { 'X-Order': '17' } }))
  const inbox = await team.api.get('/v1/inbox')
  const entry = inbox.body.data.find((found: { emailId: string }) => found.emailId === sent.body.id)
  const raw = (await team.api.get(`/v1/inbox/${entry.id}`, { accept: 'message/rfc822' })).text
  assert.match(raw, /^DKIM-Signature: v=1; a=rsa-sha256;/)
  assert.match(raw, new RegExp(`Message-ID: <${sent.body.id}@`, 'i'))
  assert.match(raw, /^X-Order: 17\r$/m)
  assert.doesNotMatch(raw, /secret@example\.com/)
  const parsed = await team.api.get(`/v1/inbox/${entry.id}`)
  assert.deepEqual(parsed.body.bcc, ['secret@example.com'])
})

const fates: [recipient: string, status: string, events: string[], suppressed: string | null][] = [
  ['ada@example.com', 'delivered', ['delivered', 'sent'], null],
  ['bounce@example.test', 'bounced', ['bounced', 'sent'], 'bounce'],
  ['bounce+7@mail.example.test', 'bounced', ['bounced', 'sent'], 'bounce'],
  ['softbounce@example.test', 'sent', ['bounced', 'sent'], null],
  ['complaint@example.test', 'complained', ['complained', 'delivered', 'sent'], 'complaint'],
  ['delayed@example.test', 'delayed', ['delivery_delayed', 'sent'], null],
  ['bounce@example.com', 'delivered', ['delivered', 'sent'], null],
]
for (const [recipient, status, events, reason] of fates) {
  test(`mail to ${recipient} ends as ${status}${reason ? ` and suppresses the address (${reason})` : ''}`, async () => {
    const fresh = await posthorn.team()
    const sent = await fresh.api.post('/v1/emails', email({ to: [recipient] }, fresh))
    assert.equal(sent.body.status, 'sent')
    assert.equal((await fresh.api.get(`/v1/emails/${sent.body.id}`)).body.status, status)
    const told = await fresh.api.get(`/v1/emails/${sent.body.id}/events`)
    assert.deepEqual(pluck(told.body, 'type'), events)
    const again = await fresh.api.post('/v1/emails', email({ to: [recipient.toUpperCase()] }, fresh))
    assert.equal(again.status, reason ? 422 : 200)
    const listed = await fresh.api.get('/v1/suppressions')
    assert.deepEqual(pluck(listed.body.data, 'reason'), reason ? [reason] : [])
  })
}

test('a bounce event has the data of the provider', async () => {
  const sent = await team.api.post('/v1/emails', email({ to: ['bounce-payload@example.test'] }))
  const [bounced] = (await team.api.get(`/v1/emails/${sent.body.id}/events`)).body
  assert.equal(bounced.data.notificationType, 'Bounce')
  assert.equal(bounced.data.bounce.bounceType, 'Permanent')
  assert.equal(bounced.data.bounce.bouncedRecipients[0].emailAddress, 'bounce-payload@example.test')
  assert.ok(bounced.data.mail.messageId.includes(sent.body.id))
})

test('a suppressed recipient refuses the whole email and leaves nothing behind', async () => {
  const fresh = await posthorn.team()
  await fresh.api.post('/v1/suppressions', { email: 'Gone@Example.com' })
  const refused = await fresh.api.post('/v1/emails', email({ cc: ['gone@example.com'] }, fresh))
  assert.equal(refused.status, 422)
  assert.deepEqual([refused.body.name, refused.body.suppressed], ['recipient_suppressed', ['gone@example.com']])
  assert.equal((await fresh.api.get('/v1/emails')).body.total, 0)
  assert.equal((await fresh.api.get('/v1/rate-limits')).body.usage.emailsSentToday, 0)
})

const refusals: [name: string, change: Record<string, unknown>, path: string][] = [
  ['no recipients', { to: [] }, 'to'],
  ['a list in one recipient', { to: ['a@example.com, b@example.com'] }, 'to[0]'],
  ['a line break in a recipient', { to: ['a@example.com\r\nBcc: x@example.com'] }, 'to[0]'],
  ['a line break in from', { from: 'a@shop.test\nX: y' }, 'from'],
  ['a line break in the subject', { subject: 'a\r\nBcc: x@example.com' }, 'subject'],
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject'],
  ['51 recipients', { to: addresses(30, 'a'), cc: addresses(21, 'b') }, 'to'],
  ['a header the platform sets', { headers: { bCc: 'x@example.com' } }, 'headers.bCc'],
  ['a Content- header', { headers: { 'Content-Type': 'text/plain' } }, 'headers.Content-Type'],
  ['a header name with a colon', { headers: { 'X: y': '1' } }, 'headers.X: y'],
  ['a line break in a header', { headers: { 'X-A': 'a\r\nB: c' } }, 'headers.X-A'],
  ['base64 that is none', { attachments: [{ filename: 'a.txt', content: '***' }] }, 'attachments[0].content'],
  [
    'a line break in a filename',
    { attachments: [{ filename: 'a\n.txt', content: 'YQ==' }] },
    'attachments[0].filename',
  ],
  ['a misspelt field', { scheduled_at: '2030-01-01T00:00:00Z' }, 'scheduled_at'],
  ['a time in the past', { scheduledAt: '2020-01-01T00:00:00Z' }, 'scheduledAt'],
  ['a time without zone', { scheduledAt: '2031-01-01T00:00:00' }, 'scheduledAt'],
  ['a leap second', { scheduledAt: '2099-01-01T23:59:60Z' }, 'scheduledAt'],
  ['the 30th of February', { scheduledAt: '2099-02-30T00:00:00Z' }, 'scheduledAt'],
  ['a blank around an address', { to: ['a@example.com\u2028'] }, 'to[0]'],
  ['a subject too long with its variables', { subject: '{{a}}', templateVariables: { a: 'x'.repeat(999) } }, 'subject'],
  [
    'a text that grows without bound',
    { text: '{{a}}'.repeat(1000), templateVariables: { a: 'x'.repeat(10_000) } },
    'templateVariables',
  ],
  ['a bad reply address', { replyTo: 'nobody' }, 'replyTo'],
  ['a number for a text', { text: 5 }, 'text'],
]
for (const [name, change, path] of refusals) {
  test(`refused with 400 that names the field: ${name}`, async () => {
    const refused = await team.api.post('/v1/emails', email(change))
    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.body.name, 'validation_error')
    assert.ok(
      refused.body.errors.some((error: { path: string }) => error.path === path),
      refused.text,
    )
  })
}

test('emails can be sent only from a verified domain of the team', async () => {
  await team.api.post('/v1/domains', { name: 'unverified.test' })
  const other = await posthorn.team()
  for (const domain of ['unverified.test', 'elsewhere.test', other.domain, `sub.${team.domain}`]) {
    const refused = await team.api.post('/v1/emails', email({ from: `a@${domain}` }))
    assert.deepEqual([refused.status, refused.body.name], [403, 'domain_not_verified'], domain)
  }
})

test('a key restricted to a domain sends only from that domain and sees only its emails', async () => {
  const second = await team.api.post('/v1/domains', { name: 'second.test' })
  await team.api.post(`/v1/domains/${second.body.id}/verify`)
  const scoped = await team.newKey({ domainId: second.body.id })
  const refused = await scoped.api.post('/v1/emails', email())
  assert.deepEqual([refused.status, refused.body.name], [403, 'authorization_error'])
  const foreign = await team.api.post('/v1/emails', email())
  const own = await ok(scoped.api.post('/v1/emails', email({ from: 'hi@second.test' })))
  assert.equal((await scoped.api.get(`/v1/emails/${foreign.body.id}`)).status, 404)
  const listed = await scoped.api.get('/v1/emails')
  assert.deepEqual(pluck(listed.body.data, 'id'), [own.id])
  assert.equal(listed.body.total, 1)
})

test('a template supplies bodies that the request leaves out, and variables are filled in once, escaped in HTML', async () => {
  const template = await team.api.post('/v1/templates', {
    name: 'Hello',
    html: '<p>Hi {{name}} {{ other }}</p>',
    text: 'Hi {{name}}',
  })
  const templateId = template.body.id
  const body = email({
    html: undefined,
    templateId,
    templateVariables: { name: '<b>{{other}}</b>' },
    subject: 'For {{name}}',
  })
  const draft = await team.api.post('/v1/emails', body)
  assert.deepEqual([draft.status, draft.body.name], [422, 'template_not_published'])
  await team.api.patch(`/v1/templates/${templateId}`, { status: 'published' })
  const sent = await team.api.post('/v1/emails', body)
  assert.equal(sent.body.html, '<p>Hi &lt;b&gt;{{other}}&lt;/b&gt; {{ other }}</p>')
  assert.equal(sent.body.text, 'Hi <b>{{other}}</b>')
  assert.equal(sent.body.subject, 'For <b>{{other}}</b>')
  const untouched = await team.api.post('/v1/emails', email({ subject: '{{name}}' }))
  assert.equal(untouched.body.subject, '{{name}}')
})

test('the domain is checked before the template, and the template before suppression', async () => {
  const both = await team.api.post('/v1/emails', email({ from: 'a@elsewhere.test', templateId: 'nope' }))
  assert.equal(both.body.name, 'domain_not_verified')
  await team.api.post('/v1/suppressions', { email: 'order@example.com' })
  const later = await team.api.post('/v1/emails', email({ to: ['order@example.com'], templateId: 'nope' }))
  assert.equal(later.body.name, 'template_not_published')
})

test('attachments arrive byte for byte', async () => {
  const content = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256))
  const attachments = [{ filename: 'Zahlen ü.bin', content: content.toString('base64') }]
  const sent = await ok(team.api.post('/v1/emails', email({ attachments })))
  const inbox = await team.api.get('/v1/inbox')
  const entry = inbox.body.data.find((found: { emailId: string }) => found.emailId === sent.id)
  const parsed = await team.api.get(`/v1/inbox/${entry.id}`)
  const type = { contentType: 'application/octet-stream' }
  assert.deepEqual(parsed.body.attachments, [{ filename: 'Zahlen ü.bin', ...type, size: 5000 }])
})

slowTest('more than 25 MiB of attachments is 400, and a body past 40 MiB is 413', async () => {
  const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024).toString('base64')
  const large = await team.api.post('/v1/emails', email({ attachments: [{ filename: 'a', content: megabytes(26) }] }))
  assert.equal(large.status, 400)
  const larger = await team.api.post('/v1/emails', email({ attachments: [{ filename: 'a', content: megabytes(31) }] }))
  assert.deepEqual([larger.status, larger.body.name], [413, 'payload_too_large'])
})
