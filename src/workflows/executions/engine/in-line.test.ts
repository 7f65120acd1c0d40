import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, makeFlow } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const second = await posthorn.another()
const { app, clock } = posthorn
/** A process has 500 slots, and a team may have as many as it leaves free. */
const placesOfTeam = 250

/** Starts executions with more requests than a team has slots. The peer holds back its answers. */
async function fullHouse(executions: number) {
  const team = await posthorn.team()
  const peer = await startPeer()
  const waiting: (() => void)[] = []
  peer.answer = (response) => void waiting.push(() => response.end())
  const nodes = Array.from({ length: 20 }, (_, index) => call(`n${index}`, peer.url))
  const flow = await makeFlow(
    team,
    nodes,
    nodes.map(({ id }) => `start>${id}`),
  )
  await Promise.all(Array.from({ length: executions }, () => flow.start()))
  const running = posthorn.runDueJobs()
  while (peer.asked.length < placesOfTeam || (await countBegun(flow.id)) < executions * 20) await turn()
  const answerAll = () => {
    peer.answer = (response) => response.end()
    for (const answer of waiting.splice(0)) answer()
  }
  return { team, peer, flow, running, answerAll }
}

async function countBegun(workflowId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflow_execution_nodes as node
    join workflow_executions as execution on execution.team_id = node.team_id and execution.id = node.execution_id
    where workflow_id = ${workflowId} and node.status = 'running'
  `.execute(app.db)
  return rows[0]!.count
}

/** Leaves queries of the first process without an answer. Returns the function that ends this. */
function cutOff(): () => void {
  const { transaction, db } = app
  const fail = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const deaf = new Proxy(db, {
    get: (target, name) => (name === 'getExecutor' ? fail : Reflect.get(target, name, target)),
  })
  Object.assign(app, { transaction: async () => fail(), db: deaf })
  return () => Object.assign(app, { transaction, db })
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

slowTest('nodes that wait for a slot do not begin once their workflow is deleted', async () => {
  const { team, peer, flow, running, answerAll } = await fullHouse(20)
  // Deactivates it, since an active workflow cannot be deleted.
  await team.api.post(`${flow.path}/activate`)
  assert.equal((await team.api.delete(flow.path)).status, 200)
  await running
  answerAll()
  // Requests that had begun would reach the peer before this one.
  const last = await makeFlow(team, [call('last', peer.url)], ['start>last'])
  await last.start()
  await posthorn.runDueJobs()
  assert.equal(peer.asked.length, placesOfTeam + 1)
})

slowTest('a process without the database begins no waiting node once its leases may have run out', async () => {
  const { peer, running, answerAll } = await fullHouse(16)
  const reconnect = cutOff()
  // Its search for more jobs fails too.
  const ended = assert.rejects(running, /ECONNREFUSED/)
  clock.advance(31_000)
  answerAll()
  await second.app.jobs.runDue()
  const asked = peer.asked.length
  reconnect()
  await ended
  // The first process made the requests that had slots; the other one made all.
  assert.equal(asked, placesOfTeam + 16 * 20)
  assert.equal(peer.asked.length, asked)
})
