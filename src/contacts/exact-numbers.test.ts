import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'

const posthorn = await createTestApp()

const exact = (digits: string) => JSON.rawJSON(digits)
const id = '8202522731445525542'
const properties = { ids: [exact(id)], huge: exact('1e400'), tiny: exact('-2.5e-400'), usual: 0.1 }
const kept = [`"ids":[${id}]`, '"huge":1e400', '"tiny":-2.5e-400', '"usual":0.1']

function assertKept(text: string): void {
  for (const part of kept) assert(text.includes(part), text)
}

test('numbers in properties keep their digits when a contact is made, listed, changed, imported and exported', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/contacts', { email: 'ada@example.com', properties })
  assertKept(made.text)
  assertKept((await team.api.get('/v1/contacts')).text)
  const path = `/v1/contacts/${made.body.id}`
  posthorn.clock.advance(1)
  const changed = await team.api.patch(path, { properties: { ...properties, ids: [exact('8202522731445525543')] } })
  assert(changed.text.includes('[8202522731445525543]'), changed.text)
  assert.notEqual(changed.body.updatedAt, made.body.updatedAt)
  const contacts = [
    { email: 'ada@example.com', properties: { ids: [exact(id)] } },
    { email: 'eve@example.com', properties },
  ]
  const imported = await team.api.post('/v1/contacts/import', { contacts })
  assert.deepEqual([imported.body.created, imported.body.updated], [1, 1], imported.text)
  assertKept((await team.api.get(path)).text)
  const { text: csv } = await team.api.get('/v1/contacts/export')
  for (const part of kept) assert.equal(csv.split(part.replaceAll('"', '""')).length, 3, csv)
})

test('a contact with the same numbers is unchanged', async () => {
  const team = await posthorn.team()
  const { body } = await team.api.post('/v1/contacts', { email: 'ada@example.com', properties })
  posthorn.clock.advance(1)
  const same = await team.api.patch(`/v1/contacts/${body.id}`, { properties })
  assert.equal(same.body.updatedAt, body.updatedAt)
})

test('properties are measured with their numbers written out', async () => {
  const team = await posthorn.team()
  const numbers = (count: number) => ({ list: Array(count).fill(exact('1e900')) })
  await ok(team.api.post('/v1/contacts', { email: 'a@example.com', properties: numbers(70) }))
  const refused = await team.api.post('/v1/contacts', { email: 'b@example.com', properties: numbers(75) })
  assert.deepEqual([refused.status, refused.body.errors[0].path], [400, 'properties'])
})

test('a broadcast fills in the digits of a property', async () => {
  const team = await posthorn.team()
  const { body: contact } = await team.api.post('/v1/contacts', {
    email: 'ada@example.com',
    properties: { id: exact(id) },
  })
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const content = { subject: 'Order {{properties.id}}', text: 'Order {{properties.id}}' }
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId: segment.id, ...content }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', fields)
  await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)
  for (let round = 0; round < 3; round++) await posthorn.runDueJobs()
  const { body: emails } = await team.api.get('/v1/emails')
  assert.equal(emails.data[0]?.subject, `Order ${id}`)
})

test('an object is not replaced by a number, and a field that is computed with refuses digits that it would lose', async () => {
  const team = await posthorn.team()
  for (const [path, body, field, message] of [
    [
      '/v1/contacts',
      { email: 'a@example.com', properties: exact(id) },
      'properties',
      'must be an object; it was a number',
    ],
    ['/v1/contacts', { email: exact(id) }, 'email', 'must be a string; it was a number'],
    ['/v1/contacts', exact(id), 'body', 'must be an object; it was a number'],
  ] as const) {
    const answer = await team.api.post(path, JSON.stringify(body))
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.path], [400, field], answer.text)
    assert(answer.body.errors[0].message.startsWith(message), answer.text)
  }
  const made = await team.api.post('/v1/workflows', { name: 'Flow' })
  const node = { id: 'a', type: 'manual', name: 'a', config: {}, position: { x: exact('0.1234567890123456789'), y: 1 } }
  const drawn = await team.api.patch(`/v1/workflows/${made.body.id}`, { nodes: [node], connections: [] })
  assert.deepEqual([drawn.status, drawn.body.errors[0].path], [400, 'nodes[0].position.x'])
  assert.match(drawn.body.errors[0].message, /^must be a number; it was a number of more digits than are kept here/)
})
