import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { listen } from '../../../test/wire.ts'

const posthorn = await createTestApp()
const port = await listen(posthorn)

/** More than the buffers of a connection on loopback hold, so that a reader who stops holds the export up. */
const bytesOfContact = 40_000
const contactsCount = 700

async function addContacts({ id, api }: TestTeam): Promise<void> {
  const contacts = Array.from({ length: contactsCount }, (_, n) => ({ email: `n${n}@people.test` }))
  await ok(api.post('/v1/contacts/import', { contacts }))
  const properties = sql`jsonb_build_object('note', repeat('n', ${bytesOfContact}::int))`
  await sql`update contacts set properties = ${properties} where team_id = ${id}`.execute(posthorn.app.db)
}

/** Begins an export, and stops reading. Returns how to read on, which resolves to the end of the answer. */
async function beginExport(token: string): Promise<() => Promise<{ end: string; length: number }>> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(
    `GET /v1/contacts/export HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  )
  const [start] = (await once(socket, 'data')) as [string]
  socket.pause()
  assert.match(start, /^HTTP\/1.1 200 /)
  return async () => {
    let [end, length] = ['', start.length]
    socket.on('data', (text: string) => {
      end = (end + text).slice(-20)
      length += text.length
    })
    socket.on('error', () => undefined)
    socket.resume()
    await once(socket, 'close')
    return { end, length }
  }
}

const allBytes = bytesOfContact * contactsCount
const endOfAnswer = /\r\n0\r\n\r\n$/

slowTest('an export breaks off when its key is revoked, its member removed or its team deleted', async () => {
  const [team, gone] = [await posthorn.team(), await posthorn.team()]
  for (const each of [team, gone]) await addContacts(each)
  const [owner, viewer] = [await team.member('owner'), await team.member('viewer')]
  const ownerOfGone = await gone.member('owner')
  const { id, key } = await team.newKey({ permission: 'full_access' })
  const cases = [
    { token: key, end: () => team.api.delete(`/v1/api-keys/${id}`) },
    { token: viewer.token, end: () => owner.api.delete(`/v1/team/members/${viewer.userId}`) },
    { token: gone.key, end: () => ownerOfGone.api.delete('/v1/team', { confirm: 'Shop' }) },
  ]
  for (const { token, end } of cases) {
    const readOn = await beginExport(token)
    const ended = await end()
    assert.equal(ended.status, 200, ended.text)
    const read = await readOn()
    assert.doesNotMatch(read.end, endOfAnswer)
    assert.ok(read.length < allBytes, String(read.length))
  }
})

slowTest('an export whose reader is slow is whole while its key is good', async () => {
  const team = await posthorn.team()
  await addContacts(team)
  const readOn = await beginExport(team.key)
  const read = await readOn()
  assert.match(read.end, endOfAnswer)
  assert.ok(read.length > allBytes, String(read.length))
})
