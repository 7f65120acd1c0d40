import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResendApp } from './fixtures/client.ts'

const { posthorn, baseUrl, setUp } = await createResendApp()

test('what the path names may be named in the body again, as the packages for Python, Go and Ruby do, and nothing else', async () => {
  const { team, hello } = await setUp()
  const ask = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' }
    const answer = await fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, ...((await answer.json()) as { id: string; message: string }) }
  }
  const status = async (...request: Parameters<typeof ask>) => (await ask(...request)).status
  const { id } = await ask('POST', '/emails', { ...hello, scheduled_at: 'in 1 hour' })
  assert.equal(await status('PATCH', `/emails/${id}`, { id, scheduled_at: 'in 2 hours' }), 200)
  const other = await ask('PATCH', `/emails/${id}`, { id: team.id, scheduled_at: 'in 2 hours' })
  assert.equal(other.status, 422)
  assert.match(other.message, /The `id` field is not what the path names/)
  const { id: audienceId } = await ask('POST', '/audiences', { name: 'Readers' })
  const person = { audience_id: audienceId, email: 'ada@example.com' }
  const contact = await ask('POST', `/audiences/${audienceId}/contacts`, person)
  const path = `/audiences/${audienceId}/contacts/${contact.id}`
  assert.equal(await status('PATCH', path, { audience_id: audienceId, id: contact.id, first_name: 'Ada' }), 200)
  assert.equal(await status('PATCH', path, { email: 'else@example.com', first_name: 'Ada' }), 422)
  const byAddress = { email: 'ada@example.com', id: '', first_name: 'Ada L.' }
  assert.equal(await status('PATCH', `/audiences/${audienceId}/contacts/ada%40example.com`, byAddress), 200)
  assert.equal((await team.api.get(`/v1/contacts/${contact.id}`)).body.firstName, 'Ada L.')
  const news = { segment_id: audienceId, from: hello.from, subject: 'News', html: '<p>News</p>' }
  const { id: broadcastId } = await ask('POST', '/broadcasts', news)
  assert.equal(await status('PATCH', `/broadcasts/${broadcastId}`, { broadcast_id: broadcastId, name: 'June' }), 200)
  const sending = { broadcast_id: broadcastId, scheduled_at: '' }
  assert.equal(await status('POST', `/broadcasts/${broadcastId}/send`, sending), 200)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/broadcasts/${broadcastId}`)).body.status, 'sent')
  const membership = { segment_id: audienceId, email: 'ada@example.com' }
  assert.equal(await status('POST', `/contacts/ada%40example.com/segments/${audienceId}`, membership), 200)
  const get = async (query: string) => {
    const answer = await fetch(baseUrl + query, { headers: { authorization: `Bearer ${team.key}` } })
    return [answer.status, ((await answer.json()) as { data?: object[] }).data?.length]
  }
  assert.deepEqual(await get(`/contacts/${contact.id}/segments?contact_id=${contact.id}`), [200, 1])
  assert.deepEqual(await get(`/audiences/${audienceId}/contacts?audience_id=${audienceId}&limit=1`), [200, 1])
  assert.deepEqual(await get(`/contacts/${contact.id}/topics?contact_id=${team.id}`), [422, undefined])
  assert.deepEqual(await get('/audiences/'), [200, 1])
  assert.equal(await status('PATCH', `/domains/${team.domainId}`, { id: team.domainId, tls: 'enforced' }), 200)
})
