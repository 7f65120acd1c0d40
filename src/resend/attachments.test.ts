import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ok, type TestTeam } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createEgress, type EgressRequest } from '../platform/egress/egress.ts'
import { teamBodiesOf } from '../platform/http/body/read-body.ts'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const OUTBOUND_ALLOW = '127.0.0.0/8'
const allowing = createEgress({ allow: [OUTBOUND_ALLOW] })
// The files of these tests are at loopback, so this takes all that the operator allows for public.
const egress = { ...allowing, request: ({ toPublic, ...request }: EgressRequest) => allowing.request(request) }
const { posthorn, baseUrl, setUp } = await createResendApp({}, { egress })
const film = Buffer.alloc(20 * 1024 * 1024)
const held = new Set<ServerResponse>()
let asked = 0
const files = createServer((request, response) => {
  asked++
  if (request.url === '/film') {
    held.add(response)
    response.write(film)
    return
  }
  response.statusCode = request.url === '/report%20of%20June.txt' ? 200 : 404
  response.end('It rained.')
}).listen(0, '127.0.0.1')
await once(files, 'listening')
after(() => files.close())
const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`

test('an attachment is given as bytes, as base64, or by the address of a file', async () => {
  const { team, resend, hello } = await setUp()
  const attachments = [
    { filename: 'a.txt', content: Buffer.from('Hello') },
    { filename: 'b.txt', content: Buffer.from('World').toString('base64'), contentType: 'text/plain', contentId: 'b' },
    { path: `${url}/report%20of%20June.txt` },
  ]
  const { id } = await given(resend.emails.send({ ...hello, attachments }))
  const { body } = await team.api.get(`/v1/emails/${id}/message`)
  const shown = body.attachments.map(({ filename, size }: { filename: string; size: number }) => [filename, size])
  assert.deepEqual(shown, [
    ['a.txt', 5],
    ['b.txt', 5],
    ['report of June.txt', 10],
  ])
})

test('an attachment is given as a list of bytes, as the packages for Go, Python and Ruby do', async () => {
  const { team, hello } = await setUp()
  const post = async (attachment: object, more = {}) => {
    const body = JSON.stringify({ ...hello, ...more, attachments: [attachment] }, null, 1)
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}/emails`, { method: 'POST', headers, body })
    return [answer.status, (await answer.json()) as { id: string; name: string }] as const
  }
  const bytes = Buffer.from('Grüße, Ada. '.repeat(5000))
  const sizeOf = async ({ id }: { id: string }) =>
    (await team.api.get(`/v1/emails/${id}/message`)).body.attachments[0].size
  const asList = await post({ filename: 'a.txt', content: [...bytes], inline_content_id: 'a' })
  assert.deepEqual([asList[0], await sizeOf(asList[1])], [200, bytes.length])
  const asBuffer = await post({ filename: 'b.txt', content: Buffer.from('Hello') })
  assert.deepEqual([asBuffer[0], await sizeOf(asBuffer[1])], [200, 5])
  assert.equal((await post({ filename: 'c.txt', content: [], path: `${url}/report%20of%20June.txt` }))[0], 200)
  for (const content of [[256], [-1], [1.5], ['a'], [[1]], { data: [1] }])
    assert.deepEqual([(await post({ content }))[0], JSON.stringify(content)], [422, JSON.stringify(content)])
  const quoting = await post({ filename: 'd.txt', content: [1] }, { text: 'It says "content":[1,2]', tags: [] })
  assert.equal((await team.api.get(`/v1/emails/${quoting[1].id}`)).body.text, 'It says "content":[1,2]')
})

test('an address at which there is no file, or that may not be called, is refused by its name', async () => {
  const { team, resend, hello } = await setUp()
  for (const path of [`${url}/gone.txt`, 'http://10.0.0.7/a.txt', 'file:///etc/passwd', 'nonsense']) {
    const error = await refused(resend.emails.send({ ...hello, attachments: [{ path }] }))
    assert.deepEqual(error.slice(0, 2), [422, 'invalid_attachment'], path)
    assert.match(error[2], /^The `attachments\[0\]\.path` field cannot be fetched/)
  }
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})

test('an address that is not public is not asked for a file, also where OUTBOUND_ALLOW names it for webhooks', async () => {
  const strict = await createResendApp({ OUTBOUND_ALLOW })
  const team = await strict.posthorn.team()
  const before = asked
  const attachments = [{ path: `${url}/report%20of%20June.txt` }]
  const error = await refused(strict.client(team.key).emails.send({ ...helloFrom(team), attachments }))
  assert.deepEqual(error.slice(0, 2), [422, 'invalid_attachment'])
  assert.match(error[2], /^The `attachments\[0\]\.path` field cannot be fetched: .*not a public address/)
  assert.equal(asked, before)
})

test('no file is fetched for an email that is refused for another reason, and at most ten for one email', async () => {
  const { team, resend, hello } = await setUp({ limits: { dailyEmailLimit: 1 } })
  const draft = await team.api.post('/v1/templates', { name: 'Hello', html: '<p>Hello</p>' })
  await ok(team.api.post('/v1/suppressions', { email: 'blocked@example.com' }))
  const path = `${url}/report%20of%20June.txt`
  const send = (more: object) => resend.emails.send({ ...hello, attachments: [{ path }], ...more })
  const before = asked
  for (const [more, reason] of [
    [{ attachments: Array(11).fill({ path }) }, /`attachments` field has more than 10 with a path/],
    [{ attachments: [{ path }, { filename: 'a.txt', content: 'not base64!' }] }, /attachments\[1\]/],
    [{ headers: { 'X-A': 'a\nb' } }, /line break/],
    [{ topicId: '01890a5d-ac96-774b-bcce-b302099a8057' }, /not a topic/],
    [{ from: 'hello@unknown.test' }, /not a verified domain/],
    [{ text: undefined, template: { id: draft.body.id } }, /template/],
    [{ to: 'blocked@example.com' }, /suppression list/],
  ] as const)
    assert.match((await refused(send(more)))[2], reason)
  assert.equal(asked, before)
  await given(send({ attachments: Array(10).fill({ path }) }))
  assert.equal(asked, before + 10)
  assert.equal((await refused(send({})))[1], 'daily_quota_exceeded')
  assert.equal(asked, before + 10)
})

slowTest(
  'files that are fetched at once for a team are bounded together, and large ones beyond that are 503',
  async () => {
    const [team, other] = [await posthorn.team(), await posthorn.team()]
    const send = (sender: TestTeam, file: string) => {
      const body = JSON.stringify({ ...helloFrom(sender), attachments: [{ path: `${url}${file}` }] })
      const headers = { authorization: `Bearer ${sender.key}`, 'content-type': 'application/json' }
      return fetch(`${baseUrl}/emails`, { method: 'POST', headers, body })
    }
    const report = '/report%20of%20June.txt'
    const films = Array.from({ length: 7 }, () => send(team, '/film'))
    const refused = await Promise.race(films)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
    assert.match(await refused.text(), /Too many large requests at once/)
    assert.equal((await send(team, report)).status, 200)
    assert.equal((await send(other, report)).status, 200)
    for (const response of held) response.destroy()
    const statuses = (await Promise.all(films)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [422, 503])
    const again = send(team, '/film')
    while (![...held].some(({ destroyed }) => !destroyed)) await setTimeout(5)
    for (const response of held) if (!response.destroyed) response.end()
    assert.equal((await again).status, 200)
    const left = teamBodiesOf(posthorn.app).lease(team.id)
    assert.equal(left.take(100 * 1024 * 1024), true, 'the bytes of requests that are answered still count')
    left.end()
  },
)
