import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../../../test/app.ts'
import { until } from '../../../../test/patience.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { whileLocked } from '../../../../test/while-locked.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, makeFlow, statusesOf } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()
const { app, clock } = posthorn

/** Makes the next `failing.left` transactions fail as if the database did not answer. */
function failing(error: Error) {
  const { transaction } = app
  const state = { left: 0 }
  Object.assign(app, {
    transaction: (work: never) => (state.left > 0 && state.left-- ? Promise.reject(error) : transaction(work)),
  })
  return { state, end: () => Object.assign(app, { transaction }) }
}

slowTest('a node is not run again because the database was unavailable for a moment', async () => {
  const peer = await startPeer()
  const { state, end } = failing(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  peer.answer = (response) => {
    state.left = 2
    response.end()
  }
  const flow = await makeFlow(team, [call('a', peer.url), call('b', peer.url)], ['start>a>b'])
  const id = await flow.run(posthorn)
  end()
  assert.equal((await flow.get(id)).status, 'completed')
  assert.deepEqual(pluck(peer.asked, 'path'), ['/a', '/b'])
})

slowTest('a node that waits too long for a lock is tried again alone: another that is under way goes on', async () => {
  const peer = await startPeer()
  const asked = Promise.withResolvers<ServerResponse>()
  peer.answer = (response) => (peer.asked.length === 1 ? asked.resolve(response) : response.end())
  const contact = (await ok(team.api.post('/v1/contacts', { email: 'ada@people.test' }))).id
  const change = { id: 'change', type: 'update_contact', config: { contact, first_name: 'Ada' } }
  const flow = await makeFlow(team, [call('ask', peer.url), change], ['start>ask', 'start>change'])
  const id = await flow.start()
  const lock = sql`select from contacts where id = ${contact} for no key update`
  const { response, run } = await whileLocked(app, lock, async () => {
    const run = posthorn.runDueJobs()
    // The failure is recorded, or the execution was given up.
    await until(async () => {
      const [node] = await app.db
        .selectFrom('workflow_execution_nodes')
        .select('run_at')
        .where('execution_id', '=', id)
        .where('node_id', '=', 'change')
        .execute()
      const job = await app.db.selectFrom('jobs').select('lease_token').where('key', '=', id).executeTakeFirstOrThrow()
      return (node?.run_at ?? null) !== null || (peer.asked.length > 0 && job.lease_token === null)
    })
    return { response: await asked.promise, run }
  })
  clock.advance(1000)
  response.end()
  await run
  await posthorn.runDueJobs()
  assert.deepEqual(statusesOf(await flow.get(id)), { execution: 'completed', ask: 'completed', change: 'completed' })
  assert.equal(peer.asked.length, 1)
})

slowTest('an execution that completes a node each time a process takes it over is never given up', async () => {
  const peer = await startPeer()
  const nodes = Array.from({ length: 25 }, (_, index) => call(`n${index}`, peer.url))
  const flow = await makeFlow(team, nodes, [['start', ...nodes.map(({ id }) => id)].join('>')])
  const { state, end } = failing(new Error('Something is wrong with this process.'))
  const known = new Set<string>()
  peer.answer = (response, { path }) => {
    if (!known.has(path)) state.left = 1
    known.add(path)
    response.end()
  }
  const id = await flow.start()
  for (let takeUp = 0; takeUp < 30; takeUp++) {
    await posthorn.runDueJobs()
    clock.advance(posthorn.app.jobs.leaseMs)
  }
  end()
  assert.equal((await flow.get(id)).status, 'completed')
})
