import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { whileLocked } from '../../test/while-locked.ts'
import { createAudience, createTopic, readers } from '../broadcasts/fixtures/audience.ts'

const posthorn = await createTestApp()
const { app } = posthorn

const make = {
  segment: async (team: TestTeam, count: number) => (await createAudience(posthorn, team, readers(count))).segmentId,
  topic: async (team: TestTeam, count: number) =>
    createTopic(posthorn, team, (await createAudience(posthorn, team, readers(count))).contactIds),
}
const tables = { segment: 'segment_contacts', topic: 'topic_subscriptions' }

type Noun = keyof typeof tables

const isMember = (noun: Noun, id: string) => sql`${sql.table(tables[noun])} where ${sql.ref(`${noun}_id`)} = ${id}`

async function countMembers(noun: Noun, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${isMember(noun, id)}`.execute(
    app.db,
  )
  return rows[0]!.count
}

for (const noun of ['segment', 'topic'] as const) {
  test(`a ${noun} is deleted at once, however many members it has and whatever holds them`, async () => {
    const team = await posthorn.team()
    const id = await make[noun](team, 10)
    await whileLocked(app, sql`select from ${isMember(noun, id)} for update`, async () => {
      assert.deepEqual(await ok(team.api.delete(`/v1/${noun}s/${id}`)), { id, deleted: true })
      assert.equal((await team.api.get(`/v1/${noun}s/${id}`)).status, 404)
      assert.equal((await team.api.get(`/v1/contacts?${noun}Id=${id}`)).status, 400)
      const { data } = await ok(team.api.get('/v1/contacts?limit=1'))
      assert.deepEqual(data[0][`${noun}s`], [])
    })
    await posthorn.runDueJobs()
    assert.equal(await countMembers(noun, id), 0)
    assert.equal((await ok(team.api.get('/v1/contacts/count'))).total, 10)
  })
}

test('the members of a deleted segment are removed in pages, and no others', async () => {
  const team = await posthorn.team()
  const [id, other] = [await make.segment(team, 5001), await make.segment(team, 2)]
  await ok(team.api.delete(`/v1/segments/${id}`))
  await posthorn.runDueJobs()
  assert.equal((await ok(team.api.get('/v1/contacts/count'))).total, 5003)
  assert.deepEqual([await countMembers('segment', id), await countMembers('segment', other)], [0, 2])
})

test('the audience of a draft is empty once its segment is deleted, and opted in to nothing once its topic is', async () => {
  const team = await posthorn.team()
  const { segmentId, contactIds } = await createAudience(posthorn, team, readers(3))
  const topicId = await createTopic(posthorn, team, contactIds)
  const draft = { name: 'News', from: `a@${team.domain}`, subject: 'News', text: 'Hello', segmentId, topicId }
  const { id } = await ok(team.api.post('/v1/broadcasts', draft), 201)
  const counts = async () => {
    const { total, recipients } = await ok(team.api.get(`/v1/broadcasts/${id}/audience`))
    return { total, recipients }
  }
  assert.deepEqual(await counts(), { total: 3, recipients: 3 })
  await ok(team.api.delete(`/v1/topics/${topicId}`))
  assert.deepEqual(await counts(), { total: 3, recipients: 0 })
  await ok(team.api.delete(`/v1/segments/${segmentId}`))
  assert.deepEqual(await counts(), { total: 0, recipients: 0 })
})
