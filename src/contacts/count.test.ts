import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()

test('the count of contacts is exact after every change, folded or not', async () => {
  const team = await posthorn.team()
  const { api } = team
  const count = async () => Object.values((await api.get('/v1/contacts/count')).body)
  assert.deepEqual((await api.get('/v1/contacts/count')).body, { total: 0, unsubscribed: 0 })
  const rows = Array.from({ length: 10 }, (_, n) => ({ email: `n${n}@people.test`, unsubscribed: n < 3 }))
  await api.post('/v1/contacts/import', { contacts: rows })
  assert.deepEqual(await count(), [10, 3])
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(await count(), [10, 3])
  const { data } = (await api.get('/v1/contacts?unsubscribed=true')).body
  await api.patch(`/v1/contacts/${data[0].id}`, { unsubscribed: false })
  assert.deepEqual(await count(), [10, 2])
  await api.patch(`/v1/contacts/${data[0].id}`, { firstName: 'Ada' })
  await api.delete(`/v1/contacts/${data[1].id}`)
  await api.post('/v1/contacts', { email: 'new@people.test' })
  assert.deepEqual(await count(), [10, 1])
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(await count(), [10, 1])
  assert.deepEqual(await (await (await posthorn.team()).api.get('/v1/contacts/count')).body, {
    total: 0,
    unsubscribed: 0,
  })
  assert.equal((await api.get('/v1/contacts/count?unsubscribed=true')).status, 400)
})

test('contacts of test keys are counted, filtered and exported apart', async () => {
  const team = await posthorn.team()
  const { body: trial } = await team.api.post('/v1/api-keys', {
    name: 'Trial',
    permission: 'full_access',
    mode: 'test',
  })
  const api = posthorn.as(trial.key)
  await team.api.post('/v1/contacts', { email: 'live@people.test' })
  const { id: segmentId } = (await team.api.post('/v1/segments', { name: 'Live' })).body
  await api.post('/v1/contacts/import', { contacts: [{ email: 'a@people.test' }, { email: 'b@people.test' }] })
  assert.equal((await api.get('/v1/contacts/count')).body.total, 2)
  assert.equal((await team.api.get('/v1/contacts/count')).body.total, 1)
  assert.equal((await (await team.member('viewer')).api.get('/v1/contacts/count?mode=test')).body.total, 2)
  const { text } = await api.get('/v1/contacts/export')
  assert.deepEqual([text.includes('a@people.test'), text.includes('live@people.test')], [true, false])
  assert.equal((await api.get(`/v1/contacts?segmentId=${segmentId}`)).status, 400)
})
