import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../test/app.ts'

const posthorn = await sharedTestApp()

const png = Buffer.from('89504e470d0a1a0a', 'hex')
const policy = (images: string) =>
  `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:${images}; style-src 'unsafe-inline'; ` +
  "font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

async function send(team: TestTeam, fields: object = {}) {
  const answer = await team.api.post('/v1/emails', {
    ...{ from: `Shop <a@${team.domain}>`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello' },
    html: '<p>Hi</p><img src="cid:logo"><img src="https://far.test/x.png"><script>alert(1)</script>',
    attachments: [
      { filename: 'logo.png', content: png.toString('base64'), contentId: 'logo' },
      { filename: 'Grüße "1".html', content: Buffer.from('<script>alert(1)</script>').toString('base64') },
    ],
    ...fields,
  })
  assert.equal(answer.status, 200, answer.text)
  const [captured] = (await team.api.get('/v1/inbox?limit=1')).body.data
  return { id: answer.body.id as string, inboxId: captured.id as string }
}

test('an email is shown as a page behind a wall of its own, with inline images and without scripts', async () => {
  const team = await posthorn.team()
  const { id, inboxId } = await send(team)
  for (const path of [`/v1/emails/${id}/preview`, `/v1/inbox/${inboxId}/preview`]) {
    const { status, headers, text } = await team.api.get(path)
    assert.deepEqual(
      [status, headers['content-type'], headers['content-security-policy'], headers['x-frame-options']],
      [200, 'text/html; charset=utf-8', policy(''), 'SAMEORIGIN'],
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.ok(text.includes(`<p>Hi</p><img src="data:image/png;base64,${png.toString('base64')}"><img>`), text)
    assert.doesNotMatch(text, /script|far\.test/)
    const remote = await team.api.get(`${path}?images=remote`)
    assert.equal(remote.headers['content-security-policy'], policy(' https: http:'))
    assert.match(remote.text, /<img src="https:\/\/far\.test\/x\.png">/)
    assert.equal((await team.api.get(`${path}?images=all`)).status, 400)
  }
})

test('an email without HTML is shown as its text', async () => {
  const team = await posthorn.team()
  const { id } = await send(team, { html: undefined, text: 'a < b' })
  const { headers, text } = await team.api.get(`/v1/emails/${id}/preview`)
  assert.equal(headers['content-security-policy'], policy(''))
  assert.match(text, /<pre [^>]+>a &lt; b<\/pre>/)
})

test('attachments are downloads of a harmless type, and an unknown one is 404', async () => {
  const team = await posthorn.team()
  const { id, inboxId } = await send(team)
  for (const path of [`/v1/emails/${id}/attachments`, `/v1/inbox/${inboxId}/attachments`]) {
    const image = await team.api.get(`${path}/0`)
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png'])
    const page = await team.api.get(`${path}/1`)
    assert.equal(page.text, '<script>alert(1)</script>')
    assert.deepEqual(
      [page.headers['content-type'], page.headers['content-disposition'], page.headers['x-content-type-options']],
      [
        'application/octet-stream',
        `attachment; filename="Gr__e _1_.html"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20_1_.html`,
        'nosniff',
      ],
    )
    assert.equal((await team.api.get(`${path}/2`)).status, 404)
    for (const n of ['-1', '01', '1.5', 'x', '100000', '0x1'])
      assert.equal((await team.api.get(`${path}/${n}`)).status, 400)
  }
})

test('an email says how it was sent', async () => {
  const team = await posthorn.team()
  const { id } = await send(team, { replyTo: 'b@people.test', headers: { 'X-Order': '1' }, tags: { order: '1' } })
  const { body } = await team.api.get(`/v1/emails/${id}/message`)
  const { messageId, attachments, ...rest } = body
  assert.equal(messageId, `<${id}@${team.domain}>`)
  assert.deepEqual(rest, {
    ...{ replyTo: 'b@people.test', headers: { 'X-Order': '1' }, tags: { order: '1' } },
    ...{ via: 'api', broadcastId: null, executionId: null },
  })
  assert.deepEqual(attachments, [
    { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', disposition: 'inline', size: 8 },
    { filename: 'Grüße "1".html', contentType: 'text/html', contentId: null, disposition: 'attachment', size: 25 },
  ])
})

test('a tracked email is shown with the targets of its links, and showing it counts nothing', async () => {
  const team = await posthorn.team()
  await team.api.patch(`/v1/domains/${team.domainId}`, { openTracking: true, clickTracking: true })
  const { id, inboxId } = await send(team, { html: '<a href="https://shop.test/x">x</a>', attachments: [] })
  assert.match((await team.api.get(`/v1/inbox/${inboxId}`)).body.html, /\/t\/c\/[^"]+".*\/t\/o\//)
  const { text } = await team.api.get(`/v1/inbox/${inboxId}/preview?images=remote`)
  assert.ok(text.includes('<a href="https://shop.test/x" '), text)
  assert.doesNotMatch(text, /\/t\/[co]\//)
  const { body: events } = await team.api.get(`/v1/emails/${id}/events`)
  assert.ok(!events.some(({ type }: { type: string }) => /opened|clicked/.test(type)))
})

test('one message of the inbox can be deleted', async () => {
  const team = await posthorn.team()
  const { id, inboxId } = await send(team)
  assert.deepEqual((await team.api.delete(`/v1/inbox/${inboxId}`)).body, { id: inboxId, deleted: true })
  assert.equal((await team.api.delete(`/v1/inbox/${inboxId}`)).status, 404)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).status, 200)
})
