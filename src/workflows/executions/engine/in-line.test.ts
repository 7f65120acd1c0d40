import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, makeFlow } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const second = await posthorn.another()
const { app, clock } = posthorn
/** A process has 500 slots, and a team may have as many as it leaves free. */
const placesOfTeam = 250

/** Executions that have begun more requests than there are slots; the requests that were made are not answered yet. */
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

/** Nothing that the first process asks the database is answered; gives what ends that. */
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

test('what stands in line for a place does not begin once its workflow is deleted', async () => {
  const { team, peer, flow, running, answerAll } = await fullHouse(20)
  // An active one is paused.
  await team.api.post(`${flow.path}/activate`)
  assert.equal((await team.api.delete(flow.path)).status, 200)
  await running
  answerAll()
  // Anything that had begun would be asked before this one.
  const last = await makeFlow(team, [call('last', peer.url)], ['start>last'])
  await last.start()
  await posthorn.runDueJobs()
  assert.equal(peer.asked.length, placesOfTeam + 1)
})

test('a process cut off from the database begins nothing that stands in line once its leases may be over', async () => {
  const { peer, running, answerAll } = await fullHouse(16)
  const reconnect = cutOff()
  // It cannot look for more.
  const ended = assert.rejects(running, /ECONNREFUSED/)
  clock.advance(31_000)
  answerAll()
  await second.app.jobs.runDue()
  const asked = peer.asked.length
  reconnect()
  await ended
  // Each once by the process that died, as far as it came, and once by the other.
  assert.equal(asked, placesOfTeam + 16 * 20)
  assert.equal(peer.asked.length, asked)
})
