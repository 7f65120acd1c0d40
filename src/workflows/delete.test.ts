import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { activate, draw } from './fixtures/make.ts'
import { startPeer } from './fixtures/peer.ts'
import { line, node, sound } from './graph/fixtures/draw.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })

test('a deleted workflow and its executions are gone, and executions under way stop', async () => {
  const team = await posthorn.team()
  const { body: workflow } = await activate(team, {
    nodes: [node('start', 'manual'), node('wait', 'delay', { duration: '1h' }), node('end', 'filter')],
    connections: [line('start', 'wait'), line('wait', 'end')],
  })
  const path = `/v1/workflows/${workflow.id}`
  const ids = []
  for (let run = 0; run < 3; run++) ids.push((await team.api.post(`${path}/executions`, {})).body.id)
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`${path}/executions/${ids[0]}`)).body.status, 'waiting')
  await team.api.post(`${path}/activate`)
  const deleted = await team.api.delete(path)
  assert.deepEqual([deleted.status, deleted.body], [200, { id: workflow.id, deleted: true }])
  for (const gone of [path, `${path}/executions`, `${path}/executions/${ids[0]}`]) {
    assert.equal((await team.api.get(gone)).status, 404, gone)
  }
  assert.equal((await team.api.post(`${path}/executions`, {})).status, 404)
  await posthorn.runDueJobsAfter(3_600_000)
  for (const table of ['workflow_graphs', 'workflow_executions', 'workflow_execution_nodes', 'workflow_triggers']) {
    const { rows } = await sql`select from ${sql.table(table)} where team_id = ${team.id}`.execute(posthorn.app.db)
    assert.equal(rows.length, 0, table)
  }
  const { rows: jobs } = await sql`select kind from jobs where team_id = ${team.id}`.execute(posthorn.app.db)
  assert.deepEqual(jobs, [])
  const { total } = (await team.api.get('/v1/metrics/workflows')).body
  assert.deepEqual(total, { started: 3, completed: 0, failed: 0, cancelled: 3 })
})

test('all executions of a deleted workflow are deleted, however many there are', async () => {
  const team = await posthorn.team()
  const { body: workflow } = await draw(team, sound)
  await sql`
    insert into workflow_executions (team_id, id, workflow_id, graph_id, status, node_count, trigger_data, vars, depth, started_at)
    select ${team.id}, gen_random_uuid(), ${workflow.id}, gen_random_uuid(), 'completed', 1, '{}', '{}', 1, now()
    from generate_series(1, 1234)
  `.execute(posthorn.app.db)
  await team.api.delete(`/v1/workflows/${workflow.id}`)
  for (let page = 0; page < 20; page++) await posthorn.runDueJobs()
  const { rows } = await sql`select from workflow_executions where team_id = ${team.id}`.execute(posthorn.app.db)
  assert.equal(rows.length, 0)
})

test('a node under way when its workflow is deleted leaves no data', async () => {
  const team = await posthorn.team()
  const peer = await startPeer()
  const { body: workflow } = await activate(team, {
    nodes: [
      node('start', 'manual'),
      node('call', 'http_request', { method: 'POST', url: peer.url }),
      node('end', 'filter'),
    ],
    connections: [line('start', 'call'), line('call', 'end')],
  })
  const path = `/v1/workflows/${workflow.id}`
  const called = new Promise<() => void>((resolve) => {
    peer.answer = (response) => resolve(() => response.end('done'))
  })
  await team.api.post(`${path}/executions`, {})
  const running = posthorn.runDueJobs()
  const answer = await called
  await team.api.post(`${path}/activate`)
  assert.equal((await team.api.delete(path)).status, 200)
  answer()
  await running
  await posthorn.runDueJobs()
  assert.equal(peer.asked.length, 1)
  for (const table of ['workflow_executions', 'workflow_execution_nodes', 'jobs']) {
    const { rows } = await sql`select from ${sql.table(table)} where team_id = ${team.id}`.execute(posthorn.app.db)
    assert.equal(rows.length, 0, table)
  }
})
