import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { recordEmailFacts } from '../emails/messages/facts/record.ts'
import { openFeed } from './fixtures/open-feed.ts'
import { readAll, readOnceThere } from './fixtures/read-all.ts'

const posthorn = await createTestApp()
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })
const dayMs = 86_400_000
const streams: { close(): void }[] = []
after(() => {
  for (const stream of streams) stream.close()
})

async function teamThatKeeps(retention: object): Promise<TestTeam> {
  const team = await posthorn.team()
  await ok((await team.member('owner')).api.patch('/v1/team/retention', retention))
  return team
}

async function send({ api, domain }: TestTeam): Promise<void> {
  await ok(api.post('/v1/emails', { from: `a@${domain}`, to: ['ada@people.test'], subject: 'x', text: 'x' }))
}

async function refuse({ api }: TestTeam, id: string): Promise<void> {
  for (const path of ['/v1/feed', '/v1/feed/stream']) {
    const { status, body } = await api.get(`${path}?after=${id}`)
    assert.deepEqual([status, body.name], [410, 'feed_expired'], path)
  }
}

for (const retention of [{ eventsDays: 1 }, { emailsDays: 1 }]) {
  const [name] = Object.keys(retention)
  test(`a reader that comes back after retention by ${name} removed what it had not read is told so`, async () => {
    const team = await teamThatKeeps(retention)
    await send(team)
    const [first, last] = await readOnceThere(team.api, 2)
    await posthorn.runDueJobsAfter(2 * dayMs)
    await refuse(team, first!.id)
    const rest = { data: [], cursor: last!.id, hasMore: false }
    assert.deepEqual((await team.api.get(`/v1/feed?after=${last!.id}`)).body, rest)
    await send(team)
    await readOnceThere(team.api, 2)
    await refuse(team, first!.id)
    const { entries } = await readAll(team.api, { after: last!.id })
    assert.equal(entries.length, 2)
    assert.deepEqual((await readAll(team.api)).entries, entries)
    const stream = await openFeed(url, team.key, { lastId: last!.id })
    streams.push(stream)
    assert.equal((await stream.heard(2)).length, 2)
  })
}

test('a reader that begins anew reads in pages what lies before the place of an event that retention removed', async () => {
  const team = await teamThatKeeps({ emailsDays: 1 })
  await send(team)
  const [sent] = await readOnceThere(team.api, 2)
  posthorn.clock.advance(dayMs / 2)
  await send(team)
  await readOnceThere(team.api, 4)
  await posthorn.app.transaction((tx) =>
    recordEmailFacts(tx, [
      { teamId: team.id, emailId: sent!.data.emailId, facts: [{ type: 'opened', recipient: null, data: null }] },
    ]),
  )
  const all = await readOnceThere(team.api, 5)
  await posthorn.runDueJobsAfter((dayMs * 3) / 4)
  const { entries, cursor } = await readAll(team.api, { query: 'limit=1' })
  assert.deepEqual(entries, all.slice(2, 4))
  await refuse(team, all[3]!.id)
  assert.deepEqual((await readAll(team.api, { after: cursor })).entries, [])
  const stream = await openFeed(url, team.key, { query: `?after=${cursor}` })
  streams.push(stream)
  await send(team)
  assert.equal((await stream.heard(2)).length, 2)
  const { status } = await team.api.get(`/v1/feed?after=${stream.entries().at(-1)!.id}`)
  assert.equal(status, 200)
})
