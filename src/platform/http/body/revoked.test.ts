import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { listen } from '../../../../test/wire.ts'

const posthorn = await createTestApp()
const port = await listen(posthorn)

/** Begins a request without the last byte of its body. Returns how to end it, which resolves to the answer. */
async function begin(path: string, key: string, body: object): Promise<() => Promise<string>> {
  const bytes = JSON.stringify(body)
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (text) => {
    answer += text
  })
  const closed = once(socket, 'close')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' }
  const lines = Object.entries({ host: 'localhost', ...headers, connection: 'close', 'content-length': bytes.length })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  await once(socket, 'data')
  assert.match(answer, /^HTTP\/1.1 100 /)
  socket.write(bytes.slice(0, -1))
  return async () => {
    answer = ''
    socket.write(bytes.slice(-1))
    await closed
    return answer
  }
}

test('a request whose body is still to come when its key is deleted is refused, and leaves no key behind', async () => {
  const { api, newKey } = await posthorn.team()
  const { id, key } = await newKey({ permission: 'full_access' })
  const end = await begin('/v1/api-keys', key, { name: 'Left behind' })
  assert.equal((await api.delete(`/v1/api-keys/${id}`)).status, 200)
  posthorn.clock.advance(5000)
  assert.match(await end(), /^HTTP\/1.1 401 /)
  const { data } = (await api.get('/v1/api-keys')).body
  assert.ok(!data.some(({ name }: { name: string }) => name === 'Left behind'))
})

test('a request whose body is still to come when its key is lowered has the lower rights', async () => {
  const { api, newKey } = await posthorn.team()
  const { id, key } = await newKey({ permission: 'full_access' })
  const end = await begin('/v1/contacts', key, { email: 'ada@example.com' })
  const lowered = await api.patch(`/v1/api-keys/${id}`, { permission: 'sending_access' })
  assert.equal(lowered.status, 200, lowered.text)
  posthorn.clock.advance(5000)
  assert.match(await end(), /^HTTP\/1.1 403 /)
  assert.deepEqual((await api.get('/v1/contacts')).body.data, [])
})

test('a request whose team is removed while its body is still to come is 401, whatever it wants to write', async () => {
  const bodies = { contacts: { email: 'ada@example.com' }, segments: { name: 'All' }, templates: { name: 'Hello' } }
  for (const [noun, body] of Object.entries(bodies)) {
    const team = await posthorn.team()
    const owner = await team.member('owner')
    const end = await begin(`/v1/${noun}`, team.key, body)
    assert.equal((await owner.api.delete('/v1/team', { confirm: 'Shop' })).status, 200)
    await posthorn.runDueJobs()
    assert.match(await end(), /^HTTP\/1.1 401 /, noun)
  }
})

test('a request whose body comes late is answered as ever while its key is good', async () => {
  const { key } = await posthorn.team()
  const end = await begin('/v1/contacts', key, { email: 'ada@example.com' })
  posthorn.clock.advance(5000)
  assert.match(await end(), /^HTTP\/1.1 200 /)
})
