import assert from 'node:assert/strict'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, makeFlow } from '../fixtures/flow.ts'

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
