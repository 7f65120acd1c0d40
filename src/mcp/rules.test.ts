import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAllAsync } from '../../test/for-all.ts'
import { propertyTest } from '../../test/slow.ts'
import { startMcp } from './fixtures/client.ts'
import { tools } from './tools.ts'

const { posthorn, connect } = await startMcp()

const good = fc.constantFrom(
  'ada@example.com',
  'ADA@Example.COM',
  'bob@allowed.test',
  'x@BÜCHER.test',
  'x@xn--bcher-kva.test',
)
const bad = fc.constantFrom(
  ...['eve@other.test', 'eve@sub.allowed.test', 'eve@allowed.test.other.test', 'eve@other.test@allowed.test'],
  ...[
    'bob@allowed.test.',
    'eve@allowed．test',
    'bob@alloWed.test\u200b',
    'eve@bucher.test',
    'ada@example.com.other.test',
  ],
)
const wrap = fc.constantFrom<(one: string, other: string) => unknown>(
  ...[(one: string) => one, (one: string) => `Ada <${one}>`, (one: string) => `"${one}"`, (one: string) => ` ${one}`],
  ...[(one: string, other: string) => `"${one}" <${other}>`, (one: string, other: string) => `"${other}, x" <${one}>`],
  ...[(one: string, other: string) => `${one}, ${other}`, (one: string, other: string) => `${one} (${other})`],
  ...[(one: string, other: string) => `<${one}> <${other}>`, (one: string, other: string) => `${one}\r\nBcc: ${other}`],
  ...[(one: string, other: string) => `Group: ${one}, ${other};`, (one: string, other: string) => `<@${other}:${one}>`],
  ...[(one: string, other: string) => [one, other], (one: string) => ({ email: one }), () => null, () => 1],
)
const either = fc.oneof(good, bad)
const recipient = fc.tuple(wrap, either, either).map(([make, one, other]) => make(one, other))
const plain = good.map((one) => `Ada <${one}>`)
const list = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: plain }, recipient), { minLength: 1, maxLength: 3 }),
  },
  recipient,
)
const fields = fc.record({ to: list, cc: list, bcc: list, replyTo: bad }, { requiredKeys: ['to'] })

/** Written for this test, so that a fault of the comparison itself is found. */
const isAllowed = (address: string) =>
  /^(ada@example\.com|[^@]+@allowed\.test|[^@]+@(bücher|xn--bcher-kva)\.test)$/i.test(address)
const addressIn = (text: string) => /<([^<>]*)>$/.exec(text)?.[1] ?? text

propertyTest('with allow_to no input sends to another address, in to, cc, bcc or a batch', async (t) => {
  const team = await posthorn.team()
  const { call } = await connect(team.key, '?allow_to=ada@example.com,*@allowed.test,*@bücher.test')
  const base = { from: `a@${team.domain}`, subject: 'Hi', text: 'Hi' }
  const outcomes = { sent: 0, refused: 0 }
  await forAllAsync(400, fc.array(fields, { minLength: 1, maxLength: 2 }), fc.boolean(), async (emails, isBatch) => {
    const inputs = emails.map((email) => ({ ...base, ...email }))
    const { isError, body, text } = await (isBatch || inputs.length > 1
      ? call('send_email_batch', { emails: inputs })
      : call('send_email', inputs[0]))
    outcomes[isError ? 'refused' : 'sent']++
    if (isError) return
    for (const email of body.data ?? [body]) {
      const all: string[] = [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])].map(addressIn)
      assert.ok(all.length > 0 && all.every(isAllowed), text)
    }
  })
  t.diagnostic(JSON.stringify(outcomes))
  const { data } = (await team.api.get('/v1/inbox?limit=100')).body
  assert.ok(data.every(({ to }: { to: string[] }) => to.map(addressIn).every(isAllowed)))
  assert.ok(outcomes.refused > 0)
})

test('with allow_to an allowed address gets its email, whatever its case, form and name', async () => {
  const team = await posthorn.team()
  const { call } = await connect(team.key, '?allow_to=ada@example.com,*@b%C3%BCcher.test')
  const to = ['"Lovelace, Ada" <ADA@Example.com>', 'x@xn--bcher-kva.test', 'Y <y@BÜCHER.test>']
  const sent = await call('send_email', {
    from: `a@${team.domain}`,
    to,
    subject: 'Hi',
    text: 'Hi',
    replyTo: 'eve@other.test',
  })
  assert.equal(sent.isError, false, sent.text)
})

test('with allow_to whatever cannot be compared is neither shown nor sent', async () => {
  const team = await posthorn.team()
  const { names, call } = await connect(team.key, '?toolsets=all&allow_to=ada@example.com')
  const hidden = ['send_broadcast', 'send_sms', 'send_whatsapp_message', 'start_execution']
  const shown = await names()
  for (const name of hidden) {
    const { isError, body } = await call(name, { id: team.id, confirm: true })
    assert.deepEqual([shown.includes(name), isError, body.name], [false, true, 'authorization_error'], name)
  }
  const scheduled = { from: `a@${team.domain}`, to: ['eve@other.test'], subject: 'Hi', text: 'Hi' }
  const scheduledAt = '2031-01-31T09:30:00Z'
  const { id } = (await team.api.post('/v1/emails', { ...scheduled, scheduledAt })).body
  const moved = await call('reschedule_email', { id, scheduledAt: '2031-01-01T09:30:00Z' })
  assert.match(moved.text, /to\[0\]: is not among the recipients/)
})

test('with from each email and broadcast has that sender, whatever is given', async () => {
  const team = await posthorn.team()
  const from = `Shop <hello@${team.domain}>`
  const { call, client } = await connect(team.key, `?from=${encodeURIComponent(from)}`)
  const { tools: listed } = await client.listTools()
  assert.ok(!listed.find(({ name }) => name === 'send_email')!.inputSchema.required!.includes('from'))
  const email = { to: ['ada@example.com'], subject: 'Hi', text: 'Hi' }
  for (const given of [undefined, `HELLO@${team.domain}`, `Boss <hello@${team.domain}>`]) {
    const sent = await call('send_email', { ...email, ...(given && { from: given }) })
    assert.equal(sent.body.from, from, sent.text)
  }
  const others = [`eve@${team.domain}`, `"hello@${team.domain}" <eve@${team.domain}>`, '', null, [from], 7]
  for (const other of others) {
    const single = await call('send_email', { ...email, from: other })
    const batch = await call('send_email_batch', { emails: [email, { ...email, from: other }] })
    assert.deepEqual([single.isError, batch.isError], [true, true], JSON.stringify(other))
  }
  const segmentId = (await team.api.post('/v1/segments', { name: 'All' })).body.id
  const news = { name: 'News', from: `eve@${team.domain}`, segmentId, subject: 'News', text: 'News' }
  assert.equal((await call('create_broadcast', news)).isError, true)
  const { id } = (await team.api.post('/v1/broadcasts', news)).body
  assert.match((await call('send_broadcast', { id, confirm: true })).text, /is not the sender of this connection/)
})

propertyTest('with read_only no tool changes anything, whatever its input', async () => {
  const team = await posthorn.team()
  const { names, call } = await connect(team.key, '?toolsets=all&read_only=true')
  const reading = tools.filter(({ hints }) => hints.readOnlyHint).map(({ name }) => name)
  assert.deepEqual(await names(), reading)
  const name = fc.constantFrom(...tools.filter(({ hints }) => !hints.readOnlyHint).map((tool) => tool.name))
  // A name that no body may hold is refused before the tools.
  const value = fc.jsonValue().filter((each) => !JSON.stringify(each).includes('__proto__'))
  const input = fc.dictionary(fc.constantFrom('id', 'confirm', 'email', 'to', 'read_only', 'readOnlyHint'), value)
  await forAllAsync(100, name, input, async (name, given) => {
    const { isError, body } = await call(name, given as Record<string, unknown>)
    assert.deepEqual([isError, body.message], [true, 'This connection only reads. Nothing was sent.'])
  })
})

test('a broadcast is sent when the call confirms it; before that the tool tells how many would get it', async () => {
  const team = await posthorn.team()
  const { call } = await connect(team.key)
  const segmentId = (await team.api.post('/v1/segments', { name: 'All' })).body.id
  const contact = await call('create_contact', { email: 'ada@example.com' })
  await call('add_contacts_to_segment', { id: segmentId, contactIds: [contact.body.id] })
  const news = { name: 'News', from: `hello@${team.domain}`, segmentId, subject: 'News', text: 'News' }
  const { id } = (await call('create_broadcast', news)).body
  for (const confirm of [undefined, false, 'true', 1]) {
    const asked = await call('send_broadcast', { id, confirm })
    assert.deepEqual([asked.isError, asked.body.sent, asked.body.recipients], [false, false, 1], asked.text)
    assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'draft')
  }
  const sent = await call('send_broadcast', { id, confirm: true })
  assert.notEqual(sent.body.status, 'draft', sent.text)
})

test('with allow_to no contact outside of it is made or changed, or put where a waiting broadcast goes', async () => {
  const team = await posthorn.team()
  const { call, names } = await connect(team.key, '?allow_to=*@allowed.test')
  const eve = (await team.api.post('/v1/contacts', { email: 'eve@other.test' })).body
  await team.api.patch(`/v1/contacts/${eve.id}`, { unsubscribed: true })
  const made = await call('create_contact', { email: 'eve2@other.test' })
  const changed = await call('update_contact', { id: eve.id, unsubscribed: false })
  for (const { isError, text } of [made, changed]) {
    assert.equal(isError, true)
    assert.match(text, /email: is not among the recipients/)
  }
  assert.ok(!(await names()).includes('add_contacts_to_segment'))
  const bob = await call('create_contact', { email: 'bob@allowed.test' })
  assert.equal((await call('update_contact', { id: bob.body.id, firstName: 'Bob' })).body.firstName, 'Bob')
  assert.equal((await team.api.get('/v1/contacts')).body.data.length, 2)
})
