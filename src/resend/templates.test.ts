import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResendApp, given, refused } from './fixtures/client.ts'

const { baseUrl, setUp } = await createResendApp()

test('a template is made, published, sent by its alias, and fills in what the email leaves out', async () => {
  const { resend, team, hello } = await setUp()
  const template = {
    ...{
      name: 'Welcome',
      alias: 'welcome',
      from: hello.from,
      subject: 'Hello {{{NAME}}}',
      replyTo: 'help@example.com',
    },
    html: '<p>{{{NAME}}} {{NAME}} {{{CITY|nowhere}}} {{{COUNT}}}</p>',
    variables: [
      { key: 'NAME', type: 'string' as const, fallbackValue: 'friend' },
      { key: 'COUNT', type: 'number' as const, fallbackValue: 3 },
    ],
  }
  const made = await given(resend.templates.create(template))
  assert.equal(made.object, 'template')
  const draft = await refused(resend.emails.send({ to: 'ada@example.com', template: { id: 'welcome' } }))
  assert.deepEqual(draft.slice(0, 2), [422, 'validation_error'])
  assert.deepEqual(await given(resend.templates.publish(made.id)), made)
  const variables = { NAME: '<b>Ada</b>' }
  const { id } = await given(resend.emails.send({ to: 'ada@example.com', template: { id: 'welcome', variables } }))
  const sent = await given(resend.emails.get(id))
  assert.equal(sent.html, '<p><b>Ada</b> &lt;b&gt;Ada&lt;/b&gt; nowhere 3</p>')
  assert.deepEqual([sent.from, sent.subject, sent.reply_to], [hello.from, 'Hello <b>Ada</b>', ['help@example.com']])
  const plain = await given(resend.emails.send({ to: 'bob@example.com', template: { id: made.id } }))
  assert.equal((await given(resend.emails.get(plain.id))).subject, 'Hello friend')
  const own = { ...hello, text: undefined, template: { id: 'welcome' } }
  assert.equal((await given(resend.emails.get((await given(resend.emails.send(own))).id))).subject, 'Hello')
  assert.equal((await team.api.get(`/v1/templates/${made.id}`)).body.status, 'published')
})

test('an email without the value of a declared variable is refused', async () => {
  const { resend, hello } = await setUp()
  const variables = [
    { key: 'total_eur', type: 'number' as const },
    { key: 'NAME', type: 'string' as const, fallbackValue: 'friend' },
  ]
  const html = '<p>{{{NAME}}}: {{{total_eur}}}</p>'
  await given(resend.templates.create({ name: 'Bill', alias: 'bill', html, variables }).publish())
  const email = { ...hello, text: undefined, template: { id: 'bill' } }
  const missing = [422, 'missing_required_field', 'Missing `template.variables.total_eur` field.']
  assert.deepEqual(await refused(resend.emails.send(email)), missing)
  const empty = { ...email, template: { id: 'bill', variables: {} } }
  assert.deepEqual(await refused(resend.batch.send([empty])), missing)
  const permissive = await given(resend.batch.send([empty], { batchValidation: 'permissive' }))
  assert.deepEqual(permissive, { data: [], errors: [{ index: 0, message: missing[2] }] })
  const whole = { ...email, template: { id: 'bill', variables: { total_eur: 0 } } }
  const sent = await given(resend.emails.send(whole, { idempotencyKey: 'bill' }))
  assert.equal((await given(resend.emails.get(sent.id))).html, '<p>friend: 0</p>')
  await given(resend.templates.update('bill', { variables: [{ key: 'NEW', type: 'string' }] }))
  assert.deepEqual(await given(resend.emails.send(whole, { idempotencyKey: 'bill' })), sent)
})

test('a template is read, listed, changed, duplicated and removed, by id or alias', async () => {
  const { resend } = await setUp()
  const { id } = await given(resend.templates.create({ name: 'One', alias: 'one', html: '<p>1</p>' }).then((x) => x))
  const read = await given(resend.templates.get('one'))
  const { created_at: _created, updated_at: _updated, ...shown } = read
  assert.deepEqual(shown, {
    ...{ object: 'template', id, name: 'One', alias: 'one', status: 'draft', published_at: null, html: '<p>1</p>' },
    ...{ text: null, subject: null, from: null, reply_to: null, variables: [] },
    ...{ has_unpublished_versions: true, current_version_id: id },
  })
  const change = { subject: 'Hi', replyTo: ['a@example.com'], variables: [{ key: 'X', type: 'string' as const }] }
  assert.deepEqual(await given(resend.templates.update('one', change)), { object: 'template', id })
  const changed = await given(resend.templates.get(id))
  assert.deepEqual([changed.subject, changed.reply_to, changed.html], ['Hi', ['a@example.com'], '<p>1</p>'])
  assert.deepEqual([changed.variables![0]!.key, changed.variables![0]!.fallback_value], ['X', null])
  const copy = await given(resend.templates.duplicate('one').publish())
  const copied = await given(resend.templates.get(copy.id))
  assert.deepEqual([copied.name, copied.alias, copied.subject, copied.status], ['One (Copy)', null, 'Hi', 'published'])
  const { data } = await given(resend.templates.list({ limit: 1 }))
  assert.deepEqual(
    data.map((template) => template.id),
    [copy.id],
  )
  const taken = await refused(resend.templates.create({ name: 'Two', alias: 'one', html: '<p>2</p>' }))
  assert.deepEqual(taken.slice(0, 2), [422, 'validation_error'])
  const noHtml = await refused(resend.templates.create({ name: 'Two' } as never))
  assert.deepEqual(noHtml, [422, 'missing_required_field', 'Missing `html` field.'])
  assert.deepEqual(await given(resend.templates.remove('one')), { object: 'template', id, deleted: true })
  assert.deepEqual((await refused(resend.templates.get('one'))).slice(0, 2), [404, 'not_found'])
})

test('addresses are blocked and unblocked, one by one and many at once', async () => {
  const { resend, team, hello } = await setUp()
  const ada = await given(resend.suppressions.add({ email: 'Ada@example.com' }))
  assert.deepEqual(ada, { object: 'suppression', id: ada.id })
  const { created_at: _at, ...read } = await given(resend.suppressions.get('ada@example.com'))
  assert.deepEqual(read, { ...ada, email: 'Ada@example.com', origin: 'manual', source_id: null })
  const { data } = await given(resend.suppressions.batch.add({ emails: ['b@example.com', 'c@example.com'] }))
  assert.equal(data.length, 2)
  await given(resend.emails.send({ ...hello, to: 'bounced@example.com' }))
  await team.api.post('/v1/emails', { ...hello, to: ['x@example.com'] })
  const list = async (query: object) => (await given(resend.suppressions.list(query))).data.map(({ email }) => email)
  assert.deepEqual(await list({}), ['c@example.com', 'b@example.com', 'Ada@example.com'])
  assert.deepEqual(await list({ origin: 'bounce' }), [])
  assert.deepEqual(await list({ origin: 'manual', limit: 1, after: data[1]!.id }), ['b@example.com'])
  assert.deepEqual(await given(resend.suppressions.remove(ada.id)), { ...ada, deleted: true })
  const removed = await given(resend.suppressions.batch.remove({ emails: ['b@example.com', 'C@example.com'] }))
  assert.deepEqual(
    removed.data,
    data.map((one) => ({ ...one, deleted: true })),
  )
  assert.deepEqual((await refused(resend.suppressions.get('ada@example.com'))).slice(0, 2), [404, 'not_found'])
  assert.deepEqual((await refused(resend.suppressions.add({ email: 'x' }))).slice(0, 2), [422, 'validation_error'])
})

test('of addresses to unblock an unknown one is left out, and one to block is blocked once', async () => {
  const { team } = await setUp()
  const post = async (path: string, emails: string[]) => {
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify({ emails }) })
    return [answer.status, ((await answer.json()) as { data: object[] }).data.length]
  }
  const blocked = [' ada@example.com', 'Ada@example.com', 'bob@example.com']
  assert.deepEqual(await post('/suppressions/batch/add', blocked), [201, 2])
  assert.deepEqual(await post('/suppressions/batch/remove', ['nobody@example.com']), [200, 0])
  assert.deepEqual(await post('/suppressions/batch/remove', ['nobody@example.com', 'ada@example.com']), [200, 1])
})

test('of several templates that ask for one alias at once one is made', async () => {
  const { resend, team } = await setUp()
  const made = await Promise.all(
    [1, 2, 3].map((n) => resend.templates.create({ name: `${n}`, alias: 'same', html: '<p>Hi</p>' }).then((x) => x)),
  )
  const refusals = made.flatMap(({ error }) => (error ? [[error.statusCode, error.name]] : []))
  assert.deepEqual(refusals, Array(2).fill([422, 'validation_error']))
  assert.equal((await team.api.get('/v1/templates')).body.data.length, 1)
})

test('the alias of a template that our own API deleted is free at once', async () => {
  const { resend, team } = await setUp()
  const { id } = await given(
    resend.templates.create({ name: 'Old', alias: 'spring', html: '<p>Old</p>' }).then((x) => x),
  )
  await team.api.delete(`/v1/templates/${id}`)
  assert.deepEqual((await refused(resend.templates.get('spring'))).slice(0, 2), [404, 'not_found'])
  const made = await given(resend.templates.create({ name: 'New', alias: 'spring', html: '<p>New</p>' }).then((x) => x))
  assert.equal((await given(resend.templates.get('spring'))).id, made.id)
})
