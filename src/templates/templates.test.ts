import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('a template begins as a draft, and reads back as written', async () => {
  const { api } = await posthorn.team()
  const made = await ok(api.post('/v1/templates', { name: 'Welcome', html: '<p>{{name}}</p>', text: null }))
  const { id, ...rest } = made
  const at = posthorn.clock.now().toISOString()
  assert.deepEqual(rest, {
    name: 'Welcome',
    html: '<p>{{name}}</p>',
    text: null,
    status: 'draft',
    createdAt: at,
    updatedAt: at,
  })
  assert.deepEqual((await api.get(`/v1/templates/${id}`)).body, made)
})

test('the list is newest first and leaves the bodies out', async () => {
  const { api } = await posthorn.team()
  const first = (await api.post('/v1/templates', { name: 'One', text: 'x' })).body
  const second = (await api.post('/v1/templates', { name: 'One', html: 'y' })).body
  const listed = await api.get('/v1/templates')
  const short = ({ html: _html, text: _text, ...rest }: Record<string, unknown>) => rest
  assert.deepEqual(listed.body.data, [short(second), short(first)])
})

test('an update changes the fields that it names, and updatedAt', async () => {
  const { api } = await posthorn.team()
  const made = (await api.post('/v1/templates', { name: 'One', html: 'a', text: 'b' })).body
  posthorn.clock.advance(1000)
  const published = await api.patch(`/v1/templates/${made.id}`, { status: 'published' })
  assert.equal(published.status, 200)
  const updatedAt = posthorn.clock.now().toISOString()
  assert.deepEqual(published.body, { ...made, status: 'published', updatedAt })
  const changed = await api.patch(`/v1/templates/${made.id}`, { name: 'Two', html: null, text: 'c', status: 'draft' })
  assert.deepEqual(changed.body, { ...made, name: 'Two', html: null, text: 'c', status: 'draft', updatedAt })
  assert.deepEqual((await api.get(`/v1/templates/${made.id}`)).body, changed.body)
})

test('a deleted template is not found', async () => {
  const { api } = await posthorn.team()
  const { id } = (await api.post('/v1/templates', { name: 'One' })).body
  assert.deepEqual((await api.delete(`/v1/templates/${id}`)).body, { id, deleted: true })
  for (const answer of [
    await api.get(`/v1/templates/${id}`),
    await api.delete(`/v1/templates/${id}`),
    await api.patch(`/v1/templates/${id}`, { name: 'x' }),
  ]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.body.name, 'not_found')
  }
  assert.deepEqual((await api.get('/v1/templates')).body.data, [])
})

test("another team's template is answered like one that does not exist", async () => {
  const [ours, theirs] = [await posthorn.team(), await posthorn.team()]
  const { id } = (await theirs.api.post('/v1/templates', { name: 'Theirs' })).body
  const strange = await ours.api.get(`/v1/templates/${id}`)
  assert.equal(strange.status, 404)
  assert.deepEqual(strange.body, (await ours.api.get(`/v1/templates/${unknownId}`)).body)
  assert.equal((await ours.api.patch(`/v1/templates/${id}`, { name: 'x' })).status, 404)
  assert.equal((await ours.api.delete(`/v1/templates/${id}`)).status, 404)
  assert.equal((await theirs.api.get(`/v1/templates/${id}`)).body.name, 'Theirs')
})

test('an invalid field is refused by name', async () => {
  const { api } = await posthorn.team()
  const { id } = (await api.post('/v1/templates', { name: 'One' })).body
  const refused: [unknown, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'x', html: 5 }, 'html'],
    [{ name: 'x', subject: 'x' }, 'subject'],
    [{ name: 'x', status: 'published' }, 'status'],
  ]
  for (const [body, path] of refused) {
    const answer = await api.post('/v1/templates', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, path], JSON.stringify(body))
  }
  for (const body of [{}, { status: 'archived' }, { name: null }, { id: unknownId }]) {
    assert.equal((await api.patch(`/v1/templates/${id}`, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await api.get('/v1/templates/not-a-uuid')).status, 400)
})

test('a sending_access key may not use templates', async () => {
  const team = await posthorn.team()
  const { api } = await team.newKey()
  assert.equal((await api.get('/v1/templates')).status, 403)
  assert.equal((await api.post('/v1/templates', { name: 'x' })).status, 403)
})
