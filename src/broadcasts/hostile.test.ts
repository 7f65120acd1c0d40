import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createAudience, readers, type TestContact } from './fixtures/audience.ts'

const posthorn = await createTestApp()

/** Sends to one contact. Returns the email as the API shows it and as it was handed over. */
async function sendTo(team: TestTeam, contact: Partial<TestContact>, fields: Record<string, unknown>) {
  const one = { ...readers(1)[0]!, ...contact }
  const { segmentId } = await createAudience(posthorn, team, [one])
  const base = { name: 'x', from: `a@${team.domain}`, segmentId, subject: 'x' }
  const made = await ok(team.api.post('/v1/broadcasts', { ...base, ...fields }), 201)
  assert.equal((await team.api.post(`/v1/broadcasts/${made.id}/send`)).status, 200)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/broadcasts/${made.id}`)).body.status, 'sent')
  const [listed] = (await team.api.get('/v1/emails?limit=1')).body.data
  const [kept] = (await team.api.get('/v1/inbox?limit=1')).body.data
  const raw = (await team.api.get(`/v1/inbox/${kept.id}`, { accept: 'message/rfc822' })).text
  return { email: (await team.api.get(`/v1/emails/${listed.id}`)).body, raw }
}

test('a name of any form adds no header and no recipient', async () => {
  const team = await posthorn.team()
  const firstName = 'Eve\r\nBcc: victim@people.test\r\n\r\n<script>'
  const { email, raw } = await sendTo(team, { firstName }, { subject: 'Hi {{firstName}}', text: 'x' })
  assert.equal(email.subject, 'Hi EveBcc: victim@people.test<script>')
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  assert.doesNotMatch(head, /^Bcc:/im)
  assert.equal(email.to.length, 1)
})

test('values are escaped in HTML, unchanged in text, and never expanded again', async () => {
  const team = await posthorn.team()
  const firstName = `<img src=x onerror="x">{{lastName}}{{unsubscribeUrl}}`
  const contact = {
    firstName,
    lastName: 'secret',
    properties: { a: '{{email}}', list: [1], object: { x: 1 }, zero: 0 },
  }
  const fields = {
    html: '<p>{{firstName}}|{{properties.a}}</p>',
    text: '{{firstName}}|{{properties.list}}{{properties.object}}|{{properties.zero}}',
  }
  const { email } = await sendTo(team, contact, fields)
  const escaped = '&lt;img src=x onerror=&quot;x&quot;&gt;{{lastName}}{{unsubscribeUrl}}'
  assert.ok(email.html.startsWith(`<p>${escaped}|{{email}}</p>`), email.html)
  assert.ok(email.text.startsWith(`${firstName}||0\n`), email.text)
})

test('an inherited member is not a property, and an unknown variable is empty', async () => {
  const team = await posthorn.team()
  const text =
    '[{{properties.constructor}}{{properties.__proto__}}{{constructor}}{{toString}}{{nobody}}{{properties.}}{{properties.a.b.c}}]'
  const { email } = await sendTo(team, { properties: { a: { b: 1 } } }, { text })
  assert.ok(email.text.startsWith('[]\n'), email.text)
})

slowTest('a long value that is named often is bounded, and a subject stays one line of bounded length', async () => {
  const team = await posthorn.team()
  const contact = { firstName: 'é'.repeat(60_000), properties: { long: 'x'.repeat(60_000) } }
  const text = '{{properties.long}}'.repeat(2000)
  const { email } = await sendTo(team, contact, { subject: '{{firstName}}'.repeat(20), text })
  assert.equal(email.subject.length, 998)
  assert.ok(email.text.length > 1_000_000 && email.text.length < 5_100_000, `${email.text.length}`)
})

test('an unsubscribe link is not rewritten for click tracking, and leads to the page of its recipient', async () => {
  const team = await posthorn.team()
  await team.api.patch(`/v1/domains/${team.domainId}`, { clickTracking: true })
  const { raw } = await sendTo(
    team,
    {},
    { html: '<a href="{{unsubscribeUrl}}">out</a><a href="https://shop.test">in</a>' },
  )
  const html = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(html, /<a href="http:\/\/localhost:3000\/unsubscribe\?token=[\w-]{32}">out</)
  assert.match(html, /<a href="http:\/\/localhost:3000\/t\/c\//)
})
