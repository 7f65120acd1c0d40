import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createResendApp, given, helloFrom, refused } from './fixtures/client.ts'

const { posthorn, client } = await createResendApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const files = createServer((request, response) => {
  response.statusCode = request.url === '/report%20of%20June.txt' ? 200 : 404
  response.end('It rained.')
}).listen(0, '127.0.0.1')
await once(files, 'listening')
after(() => files.close())
const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`

test('an attachment is given as bytes, as base64, or by the address of a file', async () => {
  const team = await posthorn.team()
  const resend = client(team.key)
  const attachments = [
    { filename: 'a.txt', content: Buffer.from('Hello') },
    { filename: 'b.txt', content: Buffer.from('World').toString('base64'), contentType: 'text/plain', contentId: 'b' },
    { path: `${url}/report%20of%20June.txt` },
  ]
  const { id } = await given(resend.emails.send({ ...helloFrom(team), attachments }))
  const { body } = await team.api.get(`/v1/emails/${id}/message`)
  const shown = body.attachments.map(({ filename, size }: { filename: string; size: number }) => [filename, size])
  assert.deepEqual(shown, [
    ['a.txt', 5],
    ['b.txt', 5],
    ['report of June.txt', 10],
  ])
})

test('an address at which there is no file, or that may not be called, is refused by its name', async () => {
  const team = await posthorn.team()
  const resend = client(team.key)
  for (const path of [`${url}/gone.txt`, 'http://10.0.0.7/a.txt', 'file:///etc/passwd', 'nonsense']) {
    const error = await refused(resend.emails.send({ ...helloFrom(team), attachments: [{ path }] }))
    assert.deepEqual(error.slice(0, 2), [422, 'invalid_attachment'], path)
    assert.match(error[2], /^The `attachments\[0\]\.path` field cannot be fetched/)
  }
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
})
