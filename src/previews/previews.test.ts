import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../test/app.ts'

const posthorn = await sharedTestApp()
const path = '/v1/previews'

test('a template is rendered with its variables, and says which are unknown', async () => {
  const { api } = await posthorn.team()
  const content = { subject: 'Hi {{name}}', html: '<b>{{ name }}</b>{{other}}', text: '{{name}}' }
  const { status, body } = await api.post(path, { kind: 'template', ...content, variables: { name: '<Ada>' } })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    ...{ subject: 'Hi <Ada>', html: '<b>&lt;Ada&gt;</b>{{other}}', text: '<Ada>', unknown: ['other'] },
  })
})

test('a broadcast is rendered as one contact would get it, with a masked link to unsubscribe', async () => {
  const { api } = await posthorn.team()
  const contact = { email: 'ada@people.test', firstName: 'Ada', properties: { city: 'Rome' } }
  const { id: contactId } = (await api.post('/v1/contacts', contact)).body
  const content = { subject: 'News for {{firstName}}', html: '<p>{{properties.city}}{{lastName}}{{nonsense}}</p>' }
  const { body } = await api.post(path, { kind: 'broadcast', ...content, contactId })
  assert.deepEqual([body.subject, body.unknown], ['News for Ada', ['nonsense']])
  assert.match(body.html, /^<p>Rome<\/p>.*\/unsubscribe\?token=\*\*\*/)
  assert.match(body.text, /^Rome\n/)
  const stranger = await posthorn.team()
  assert.equal((await stranger.api.post(path, { kind: 'broadcast', ...content, contactId })).status, 400)
})

test('a form is answered by a page behind a wall', async () => {
  const { api } = await posthorn.team()
  const preview = JSON.stringify({ kind: 'email', subject: 'x', html: '<p onclick=x>Hi<script>alert(1)</script>' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, headers, text } = await api.post(path, `${new URLSearchParams({ preview })}`, form)
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(headers['content-security-policy']!, /^sandbox .*default-src 'none'; img-src data:;/)
  assert.ok(text.endsWith('<p>Hi'), text)
  for (const broken of ['', 'preview=x', 'preview=%7B%7D', `${new URLSearchParams({ preview, more: '1' })}`]) {
    assert.equal((await api.post(path, broken, form)).status, 400, broken)
  }
})

test('a long value that 25,000 placeholders name is escaped once', async () => {
  const { api } = await posthorn.team()
  const content = { kind: 'broadcast', html: '{{a}}'.repeat(25_000), variables: { a: '<'.repeat(100_000) } }
  const body = await ok(api.post(path, content))
  assert.ok(body.html.startsWith('&lt;') && body.html.length < 5_010_000, `${body.html.length}`)
})

test('other bodies are refused, naming the field', async () => {
  const { api } = await posthorn.team()
  for (const [body, field] of [
    [{}, 'kind'],
    [{ kind: 'letter' }, 'kind'],
    [{ kind: 'email', htm: '' }, 'htm'],
    [{ kind: 'email', contactId: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'contactId'],
  ] as const) {
    const answer = await api.post(path, body)
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.path], [400, field])
  }
  assert.equal((await api.post(path, '{}', { 'content-type': 'text/plain' })).status, 415)
})
