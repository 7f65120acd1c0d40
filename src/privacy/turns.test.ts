import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { countTurnsBefore } from '../../test/turns.ts'
import { enqueueJobs } from '../platform/jobs/enqueue.ts'
import { openMax } from './create.ts'
import { ask } from './fixtures/ask.ts'
import { runPrivacyJob } from './jobs.ts'

const posthorn = await createTestApp()
const path = '/v1/privacy/requests'

slowTest('600 exports of a team delay the export of another team by a few turns', async () => {
  const busy = await (await posthorn.team()).member('owner')
  for (let n = 0; n < 600; n++) await ok(busy.api.post(path, { type: 'export', email: `a${n}@people.test` }))
  posthorn.clock.advance(1000)
  const team = await posthorn.team()
  await ask(team, { type: 'export', email: 'ada@people.test' })
  const turns = await countTurnsBefore(posthorn, runPrivacyJob.kind, team.id)
  assert.ok(turns <= 2, `${turns} turns`)
})

test('the requests of a team are worked on one after the other, also if each takes several turns', async () => {
  const team = await posthorn.team()
  for (const name of ['ada', 'bob', 'eve']) {
    await ask(team, { type: 'export', email: `${name}@people.test` })
    posthorn.clock.advance(1000)
  }
  const { app } = posthorn
  const definition = app.jobs.definitionOf(runPrivacyJob.kind)!
  const { run } = definition
  const { isDraining } = app
  const turns: (string | null)[] = []
  definition.run = (running, job) => {
    let pages = 0
    // A turn ends after five pages.
    app.isDraining = () => ++pages > 5
    turns.push(job.key)
    return run(running, job)
  }
  await posthorn.runDueJobs()
  Object.assign(definition, { run })
  Object.assign(app, { isDraining })
  assert.ok(turns.length > 6, `${turns.length} turns`)
  assert.equal(turns.filter((key, at) => key !== turns[at - 1]).length, 3)
})

slowTest('a request past a thousand that are under way is refused until some have ended', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  const request = { type: 'erase', email: 'ada@people.test' }
  const { app } = posthorn
  const waiting = Array.from({ length: openMax }, () => ({ teamId: team.id, key: app.newId() }))
  await app.transaction((tx) => enqueueJobs(tx, runPrivacyJob, waiting))
  const refused = await owner.api.post(path, request)
  assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'], refused.text)
  assert.match(refused.body.message, /at most 1,000 exports and erasures under way/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await owner.api.get('/v1/suppressions')).body.data.length, 0)
  await posthorn.runDueJobs()
  assert.equal((await owner.api.post(path, request)).status, 200)
})
