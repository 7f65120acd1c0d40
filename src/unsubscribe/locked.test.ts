import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { whileLocked } from '../../test/while-locked.ts'
import { createAudience, readers } from '../broadcasts/fixtures/audience.ts'

const posthorn = await createTestApp()
const { app } = posthorn

const unsubscribe = (token: string) => posthorn.anyone.post(`/unsubscribe?token=${token}`)

const lockOf = (contactIds: string[]) => sql`select from contacts where id = any(${contactIds}::uuid[])`
const suppressed = async (team: TestTeam) => (await ok(team.api.get('/v1/suppressions?limit=100'))).data.length

test('a locked contact that unsubscribes is confirmed at once, gets no broadcast, and is unsubscribed when it is free', async () => {
  const team = await posthorn.team()
  const { segmentId, contactIds, tokens } = await createAudience(posthorn, team, readers(20))
  await whileLocked(app, sql`${lockOf(contactIds)} for no key update`, async () => {
    for (const answer of await Promise.all([...tokens, ...tokens].map(unsubscribe))) assert.equal(answer.status, 200)
    assert.equal(await suppressed(team), 20)
    const news = { name: 'News', from: `news@${team.domain}`, segmentId, subject: 'News', text: 'News' }
    const { id } = await ok(team.api.post('/v1/broadcasts', news), 201)
    await ok(team.api.post(`/v1/broadcasts/${id}/send`))
    await posthorn.runDueJobs()
    assert.deepEqual((await ok(team.api.get('/v1/emails'))).data, [])
    assert.deepEqual(await ok(team.api.get('/v1/contacts/count')), { total: 20, unsubscribed: 0 })
  })
  await posthorn.runDueJobsAfter(30_000)
  assert.deepEqual(await ok(team.api.get('/v1/contacts/count')), { total: 20, unsubscribed: 20 })
  assert.equal(await suppressed(team), 20)
})

test('a contact that unsubscribes while others would delete it is unsubscribed if it stays', async () => {
  const team = await posthorn.team()
  const { contactIds, tokens } = await createAudience(posthorn, team, readers(1))
  await whileLocked(app, sql`${lockOf(contactIds)} for update`, async () => {
    assert.equal((await unsubscribe(tokens[0]!)).status, 200)
    assert.equal(await suppressed(team), 0)
  })
  await posthorn.runDueJobs()
  assert.equal((await ok(team.api.get(`/v1/contacts/${contactIds[0]}`))).unsubscribed, true)
  assert.equal(await suppressed(team), 1)
})

test('a contact that subscribes anew after it was unsubscribed stays so', async () => {
  const team = await posthorn.team()
  const { contactIds, tokens } = await createAudience(posthorn, team, readers(1))
  const { status } = await whileLocked(app, sql`${lockOf(contactIds)} for no key update`, () => unsubscribe(tokens[0]!))
  await posthorn.runDueJobs()
  assert.deepEqual([status, (await ok(team.api.get(`/v1/contacts/${contactIds[0]}`))).unsubscribed], [200, true])
  await ok(team.api.patch(`/v1/contacts/${contactIds[0]}`, { unsubscribed: false }))
  await posthorn.runDueJobsAfter(60_000)
  assert.equal((await ok(team.api.get(`/v1/contacts/${contactIds[0]}`))).unsubscribed, false)
})
