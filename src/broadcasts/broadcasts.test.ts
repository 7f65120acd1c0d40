import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { createAudience, createTopic, readers, runFor } from './fixtures/audience.ts'

const posthorn = await createTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function draft(team: TestTeam, fields: Record<string, unknown> = {}) {
  const segmentId = fields.segmentId ?? (await createAudience(posthorn, team, readers(3))).segmentId
  const body = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x', ...fields }
  const made = await ok(team.api.post('/v1/broadcasts', body), 201)
  return made
}

const read = async (team: TestTeam, id: string) => (await team.api.get(`/v1/broadcasts/${id}`)).body

test('a broadcast begins as a draft, and reads back as written', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, [])
  const topicId = await createTopic(posthorn, team, [])
  const scheduledAt = '2031-01-01T00:00:00.000Z'
  const fields = { name: 'June', from: `Shop <a@${team.domain}>`, segmentId, topicId, subject: 'Hi {{firstName}}' }
  const bodies = { html: '<p>Hi</p>', text: 'Hi', replyTo: 'b@elsewhere.test', scheduledAt }
  const made = await ok(team.api.post('/v1/broadcasts', { ...fields, ...bodies }), 201)
  const { id, ...rest } = made
  const createdAt = posthorn.clock.now().toISOString()
  const set = { segmentName: 'Readers', status: 'draft', mode: 'live', sentAt: null, createdAt }
  assert.deepEqual(rest, { ...fields, ...bodies, ...set })
  assert.deepEqual(await read(team, id), made)
  const second = await draft(team)
  assert.deepEqual((await team.api.get('/v1/broadcasts')).body.data, [second, made])
  assert.equal((await team.api.get(`/v1/broadcasts/${id}/stats`)).body.total, 0)
})

test('a text that is left out is made from the HTML, and again when the HTML changes', async () => {
  const team = await posthorn.team()
  const made = await draft(team, { html: '<h1>Hi {{firstName}}</h1>', text: undefined })
  assert.equal(made.text, 'Hi {{firstName}}')
  const changed = await team.api.patch(`/v1/broadcasts/${made.id}`, { html: '<p>Bye</p>' })
  assert.equal(changed.body.text, 'Bye')
  const written = await team.api.patch(`/v1/broadcasts/${made.id}`, { text: 'Mine' })
  assert.equal(written.body.text, 'Mine')
  assert.equal((await team.api.patch(`/v1/broadcasts/${made.id}`, { html: '<p>Ciao</p>' })).body.text, 'Mine')
  assert.equal((await team.api.patch(`/v1/broadcasts/${made.id}`, { text: null })).body.text, 'Ciao')
})

test('an invalid field is refused by name', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const { segmentId } = await createAudience(posthorn, team, [])
  const { segmentId: theirs } = await createAudience(posthorn, other, [])
  const good = { name: 'x', from: `a@${team.domain}`, segmentId, subject: 'x' }
  const refused: [Record<string, unknown>, string][] = [
    [{ ...good, name: undefined }, 'name'],
    [{ ...good, from: 'nobody' }, 'from'],
    [{ ...good, from: `a@${team.domain}, b@${team.domain}` }, 'from'],
    [{ ...good, replyTo: 'a@b.co\r\nBcc: c@d.co' }, 'replyTo'],
    [{ ...good, subject: 'x\r\nBcc: c@d.co' }, 'subject'],
    [{ ...good, segmentId: unknownId }, 'segmentId'],
    [{ ...good, segmentId: theirs }, 'segmentId'],
    [{ ...good, topicId: unknownId }, 'topicId'],
    [{ ...good, scheduledAt: '2030-01-01T00:00:00Z' }, 'scheduledAt'],
    [{ ...good, status: 'sent' }, 'status'],
  ]
  for (const [body, path] of refused) {
    const answer = await team.api.post('/v1/broadcasts', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, path], JSON.stringify(body))
  }
  const { id } = await draft(team)
  assert.equal((await team.api.patch(`/v1/broadcasts/${id}`, { segmentId: theirs })).status, 400)
  assert.equal((await team.api.patch(`/v1/broadcasts/${id}`, {})).status, 400)
})

test('only a draft can be changed, deleted or sent', async () => {
  const team = await posthorn.team()
  const { id } = await draft(team)
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`)).body.status, 'queued')
  const refuseAll = async () => {
    for (const answer of [
      await team.api.patch(`/v1/broadcasts/${id}`, { name: 'Other' }),
      await team.api.delete(`/v1/broadcasts/${id}`),
      await team.api.post(`/v1/broadcasts/${id}/send`),
    ]) {
      assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'], answer.text)
    }
  }
  await refuseAll()
  await posthorn.runDueJobs()
  assert.equal((await read(team, id)).status, 'sent')
  await refuseAll()
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).status, 409)
  const unsent = await draft(team)
  assert.deepEqual((await team.api.delete(`/v1/broadcasts/${unsent.id}`)).body, { id: unsent.id, deleted: true })
  assert.equal((await team.api.get(`/v1/broadcasts/${unsent.id}`)).status, 404)
})

test('simultaneous requests send a broadcast once, and those with one idempotency key get the same answer', async () => {
  const team = await posthorn.team()
  const { id } = await draft(team)
  const key = { 'idempotency-key': 'once' }
  const send = (headers = {}) => team.api.post(`/v1/broadcasts/${id}/send`, undefined, headers)
  const answers = await Promise.all([...Array(5)].map(() => send(key)))
  assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1, answers[0]!.text)
  assert.deepEqual([answers[0]!.status, answers[0]!.body.status], [200, 'queued'])
  assert.equal((await send()).status, 409)
  await posthorn.runDueJobs()
  assert.equal((await send(key)).text, answers[0]!.text)
  assert.equal((await team.api.get('/v1/emails')).body.total, 3)
  const other = await draft(team)
  const reused = await team.api.post(`/v1/broadcasts/${other.id}/send`, undefined, key)
  assert.deepEqual([reused.status, reused.body.name], [409, 'idempotency_key_reused'])
})

test('sending requires a verified domain and an existing segment, and a refusal does not use up the key', async () => {
  const team = await posthorn.team()
  const key = { 'idempotency-key': 'refused' }
  const { id } = await draft(team, { from: 'a@elsewhere.test' })
  const refused = await team.api.post(`/v1/broadcasts/${id}/send`, undefined, key)
  assert.deepEqual([refused.status, refused.body.name], [403, 'domain_not_verified'])
  await team.api.patch(`/v1/broadcasts/${id}`, { from: `a@${team.domain}` })
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`, undefined, key)).status, 200)
  const orphan = await draft(team)
  const { sql } = await import('kysely')
  await sql`delete from segments where team_id = ${team.id} and id = ${orphan.segmentId}`.execute(posthorn.app.db)
  assert.equal((await team.api.post(`/v1/broadcasts/${orphan.id}/send`)).status, 409)
  assert.equal((await read(team, orphan.id)).segmentName, 'Readers')
})

test('cancelling a scheduled or queued broadcast makes it a draft that can be sent again', async () => {
  const team = await posthorn.team()
  const { id } = await draft(team, { scheduledAt: '2031-01-01T00:00:00Z' })
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`)).body.status, 'scheduled')
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).body.status, 'draft')
  await team.api.patch(`/v1/broadcasts/${id}`, { scheduledAt: null })
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`)).body.status, 'queued')
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).body.status, 'draft')
  await posthorn.runDueJobs()
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get('/v1/emails')).body.total, 3)
})

test('cancelling a broadcast that is sending ends it as sent, skips the rest, and counts every recipient', async () => {
  const team = await posthorn.team({ limits: { dailyEmailLimit: 2 } })
  const { id } = await draft(team, { segmentId: (await createAudience(posthorn, team, readers(5))).segmentId })
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await posthorn.runDueJobs()
  assert.equal((await read(team, id)).status, 'sending')
  const stopped = await team.api.post(`/v1/broadcasts/${id}/cancel`)
  assert.deepEqual([stopped.status, stopped.body.status], [200, 'sent'])
  posthorn.clock.advance(86_400_000)
  await runFor(posthorn, 1)
  assert.equal((await team.api.get('/v1/emails')).body.total, 2)
  const { total, sent, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
  assert.deepEqual([total, sent, skipped], [5, 2, { unsubscribed: 0, suppressed: 0, notOptedIn: 0, cancelled: 3 }])
})

test('a domain cannot be deleted while a broadcast from it is not finished', async () => {
  const team = await posthorn.team()
  const { id } = await draft(team, { scheduledAt: '2031-01-01T00:00:00Z' })
  await team.api.post(`/v1/broadcasts/${id}/send`)
  const refused = await team.api.delete(`/v1/domains/${team.domainId}`)
  assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
  await team.api.post(`/v1/broadcasts/${id}/cancel`)
  assert.equal((await team.api.delete(`/v1/domains/${team.domainId}`)).status, 200)
})

test('a key restricted to a domain sees and sends only the broadcasts of that domain', async () => {
  const team = await posthorn.team()
  const { body: second } = await team.api.post('/v1/domains', { name: `second-${team.domain}` })
  await team.api.post(`/v1/domains/${second.id}/verify`)
  const [mine, other] = [await draft(team, { from: `a@${second.name}` }), await draft(team)]
  const { api } = await team.newKey({ domainId: second.id })
  assert.deepEqual((await api.get('/v1/broadcasts')).body.data, [mine])
  const path = `/v1/broadcasts/${other.id}`
  for (const answer of [
    await api.get(path),
    await api.get(`${path}/stats`),
    await api.patch(path, { name: 'x' }),
    await api.post(`${path}/send`),
  ]) {
    assert.equal(answer.status, 404, answer.text)
  }
  const { segmentId } = mine
  const foreign = { name: 'x', from: `a@${team.domain}`, segmentId, subject: 'x' }
  assert.equal((await api.post('/v1/broadcasts', foreign)).status, 403)
  assert.equal((await api.patch(`/v1/broadcasts/${mine.id}`, { from: foreign.from })).status, 403)
  assert.equal((await api.post(`/v1/broadcasts/${mine.id}/send`)).status, 200)
  const full = await team.newKey({ domainId: second.id, permission: 'full_access' })
  assert.equal((await full.api.get(path)).status, 200)
  assert.equal((await full.api.post(`${path}/send`)).status, 403)
})
