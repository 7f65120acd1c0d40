import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { startPeer } from '../fixtures/peer.ts'
import { call, delay, makeFlow, statusesOf } from './fixtures/flow.ts'
import { startExecutions } from './start.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

test('requests with the same Idempotency-Key at the same moment start one execution, which answers them all', async () => {
  const flow = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  const key = { 'idempotency-key': 'order 7' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => team.api.post(flow.executionsPath, { triggerData: { index } }, key)),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const [id, ...others] = new Set(answers.map(({ body }) => body.id))
  assert.deepEqual(others, [])
  await posthorn.runDueJobs()
  // A key is known as long as its execution exists, also for a workflow that is not active.
  await posthorn.runDueJobsAfter(90 * 86_400_000)
  await team.api.post(`${flow.path}/activate`)
  const again = await team.api.post(flow.executionsPath, { triggerData: { other: true } }, key)
  assert.deepEqual([again.status, again.body.id, again.body.status], [200, id, 'completed'])
  assert.equal((await team.api.get(flow.executionsPath)).body.data.length, 1)
  const other = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  assert.notEqual((await team.api.post(other.executionsPath, {}, key)).body.id, id, 'a key belongs to its workflow')
})

test('the sixth execution of a chain is recorded as failed with the reason, and does not run', async () => {
  const peer = await startPeer()
  const flow = await makeFlow(team, [call('a', peer.url)], ['start>a'])
  const { graph_id: graphId } = await posthorn.app.db
    .selectFrom('workflows')
    .select('graph_id')
    .where('id', '=', flow.id)
    .executeTakeFirstOrThrow()
  const answers = await posthorn.app.transaction((tx) =>
    startExecutions(
      tx,
      [5, 6].map((depth) => ({
        teamId: team.id,
        ownerId: team.id,
        workflowId: flow.id,
        graphId,
        triggerData: {},
        depth,
        startedBy: 'request' as const,
      })),
    ),
  )
  const started = answers.flatMap((one) => (one && 'isNew' in one ? [one] : []))
  assert.deepEqual(
    started.map((one) => [one.status, one.isNew]),
    [
      ['running', true],
      ['failed', true],
    ],
  )
  await posthorn.runDueJobs()
  assert.equal(peer.asked.length, 1)
  const sixth = await flow.get(started[1]!.id)
  assert.deepEqual(statusesOf(sixth), { execution: 'failed', a: 'pending' })
  assert.match(sixth.error!, /chain/)
  assert.ok(sixth.completedAt)
})
