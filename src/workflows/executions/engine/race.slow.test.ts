import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, delay, makeFlow } from '../fixtures/flow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const second = await posthorn.another()
const team = await posthorn.team()

test('an execution that is cancelled at any point of its run is completed, or cancelled with no node under way', async () => {
  const peer = await startPeer()
  const nodes = [call('a', peer.url), delay('b', '0s'), call('c', peer.url), call('d', peer.url), delay('e', '1m')]
  const flow = await makeFlow(team, nodes, ['start>a>b>d', 'start>c>d>e'])
  const ids = await Promise.all(Array.from({ length: 60 }, () => flow.start()))
  // Each answer of the peer sends the next cancel, so that cancels meet the runs at any point.
  const cancels: Promise<number>[] = []
  peer.answer = (response) => {
    response.end()
    const id = ids[(cancels.length * 7) % ids.length]!
    cancels.push(team.api.post(`${flow.executionsPath}/${id}/cancel`).then(({ status }) => status))
  }
  await Promise.all([posthorn.runDueJobs(), second.app.jobs.runDue()])
  posthorn.clock.advance(60_000)
  await Promise.all([posthorn.runDueJobs(), second.app.jobs.runDue()])
  const statuses = await Promise.all(cancels)
  const ends = { completed: 0, cancelled: 0 }
  for (const id of ids) {
    const { status, nodes } = await flow.get(id)
    assert(status === 'completed' || status === 'cancelled', status)
    ends[status]++
    const left = nodes.filter((node) => ['running', 'waiting'].includes(node.status))
    assert.deepEqual(left, [], id)
    if (status === 'completed') assert.ok(nodes.every((node) => node.status === 'completed'))
  }
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 409),
    [],
  )
  assert.equal(statuses.filter((status) => status === 200).length, ends.cancelled)
  assert.ok(ends.cancelled > 10)
  const jobs = await posthorn.app.db.selectFrom('jobs').select('key').where('team_id', '=', team.id).execute()
  assert.deepEqual(jobs, [])
})
