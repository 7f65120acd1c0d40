import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { startPeer } from '../../fixtures/peer.ts'
import { call, makeFlow, statusesOf } from '../fixtures/flow.ts'
import { recordStep, type StepRecord } from './record.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const { app, clock } = posthorn
const team = await posthorn.team()

test('a process that stood still longer than its leases last goes on with its executions, and does not begin them again', async () => {
  const peer = await startPeer()
  const asked = Promise.withResolvers<() => void>()
  peer.answer = (response, { path }) => (path === '/a' ? asked.resolve(() => response.end()) : response.end())
  const flow = await makeFlow(team, [call('a', peer.url), call('b', peer.url)], ['start>a>b'])
  const id = await flow.start()
  const first = posthorn.runDueJobs()
  const answer = await asked.promise
  clock.advance(posthorn.app.jobs.leaseMs + 1)
  const second = posthorn.runDueJobs()
  while (!(await isLeased(id))) await new Promise(setImmediate)
  answer()
  await Promise.all([first, second])
  assert.equal((await flow.get(id)).status, 'completed')
  assert.deepEqual(pluck(peer.asked, 'path'), ['/a', '/b'])
})

async function isLeased(key: string): Promise<boolean> {
  const { rows } = await sql`select from jobs where key = ${key} and run_at > ${clock.now()}`.execute(app.db)
  return rows.length === 1
}

test('only the present holder of a lease records its step, also in one commit with the former one', async () => {
  const flow = await makeFlow(
    team,
    [call('a', 'http://127.0.0.1:1'), call('b', 'http://127.0.0.1:1')],
    ['start>a', 'start>b'],
  )
  const key = await flow.start()
  const [lost, held] = [app.newId(), app.newId()]
  const { rows } = await sql<{ id: string }>`
    update jobs set lease_token = ${held} where key = ${key} returning id
  `.execute(app.db)
  const stepOf = (leaseToken: string, nodeId: string): StepRecord => {
    const blank = { branch: null, runAt: null, output: null, error: null, input: null, completedAt: null }
    const state = { id: app.newId(), status: 'running' as const, attempts: 1, interruptions: 0, startedAt: clock.now() }
    return {
      job: {
        id: rows[0]!.id,
        kind: 'workflows.run',
        teamId: team.id,
        key,
        payload: {},
        attempts: 1,
        failures: 0,
        takeUps: 0,
        wasTakenUp: false,
        endings: 0,
        leaseToken,
        leasedUntil: clock.now(),
      },
      nodes: [{ ...blank, ...state, nodeId, nodeType: 'http_request' }],
      status: null,
      error: null,
      next: 'kept',
    }
  }
  const results = await Promise.allSettled([recordStep(app, stepOf(lost, 'a')), recordStep(app, stepOf(held, 'b'))])
  assert(results[0]!.status === 'rejected' && results[0]!.reason instanceof LeaseLost)
  assert.equal(results[1]!.status, 'fulfilled')
  assert.deepEqual(statusesOf(await flow.get(key)), { execution: 'running', a: 'pending', b: 'running' })
})
