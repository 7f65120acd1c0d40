import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { goOnAfterKill } from '../fixtures/killed.ts'
import { activateChain, outputOf, runWorkflow } from '../fixtures/workflow.ts'
import { broken, delay, type FlowNode, makeFlow } from './fixtures/flow.ts'

const lines: { msg: string; teamId?: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
const posthorn = await createTestApp({}, { log })

const code = (id: string, source: string): FlowNode => ({ id, type: 'code', config: { source } })
const large = code('large', 'return "ä".repeat(20000)')
const row = 200

async function countedOf({ id }: TestTeam): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce((select stored_bytes from email_usage where team_id = ${id}), 0)
      + coalesce((select sum(change) from stored_byte_changes where team_id = ${id}), 0))::float as bytes
  `.execute(posthorn.app.db)
  return rows[0]!.bytes
}

async function storedOf({ id }: TestTeam): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      coalesce((select sum(${row} + length(convert_to(trigger_data::text || vars::text, 'UTF8')))
        from workflow_executions where team_id = ${id}), 0)
      + coalesce((select sum(${row} + length(convert_to(
          coalesce(input_data::text, '') || coalesce(output_data::text, '') || coalesce(error, ''), 'UTF8')))
        from workflow_execution_nodes where team_id = ${id}), 0)
    )::float as bytes
  `.execute(posthorn.app.db)
  return rows[0]!.bytes
}

async function assertCounted(team: TestTeam, what: string): Promise<void> {
  assert.equal(await countedOf(team), await storedOf(team), what)
}

async function fold(): Promise<void> {
  await posthorn.runDueJobsAfter(6000)
}

/** Creates a team that has run one execution more than its stored bytes allow. */
async function fullTeam() {
  const team = await posthorn.team({ plan: 'free', limits: { storedBytes: 10_000, apiRequestsPerMinute: 1000 } })
  const flow = await makeFlow(team, [large], ['start>large'])
  const id = await flow.run(posthorn, { a: 1 })
  assert.equal((await flow.get(id)).status, 'completed')
  return { team, flow, id }
}

async function totalOf({ api }: TestTeam, path: string): Promise<number> {
  return (await api.get(`${path}/executions`)).body.data.length
}

test('the data of executions is counted to the byte, however they end', async () => {
  const team = await posthorn.team()
  const nodes = [delay('wait', '2h'), large, delay('short', '1s'), broken('bad')]
  const flow = await makeFlow(team, nodes, ['start>large>short', 'start>wait', 'short>bad'])
  const ids = [await flow.start({ name: 'Zoë' }), await flow.start({ vars: 'x'.repeat(3000) })]
  await assertCounted(team, 'started')
  await posthorn.runDueJobs()
  await assertCounted(team, 'waiting')
  assert.ok((await countedOf(team)) > 2 * 40_000)
  await team.api.post(`${flow.executionsPath}/${ids[0]}/cancel`)
  await assertCounted(team, 'cancelled')
  await fold()
  await posthorn.runDueJobs()
  const failed = await flow.get(ids[1]!)
  assert.equal(failed.status, 'failed', JSON.stringify(failed))
  await assertCounted(team, 'failed')
  await ok(team.api.post(`${flow.executionsPath}/${ids[1]}/rerun`, { fromFailedNode: true }), 201)
  await assertCounted(team, 'run again')
  await fold()
  await assertCounted(team, 'folded')
})

test('a node that another process begins again is counted once', async () => {
  const team = await posthorn.team()
  const { body } = await activateChain(team, [
    { type: 'update_contact', config: { contact: 'a@b.test', first_name: 'Ada' } },
  ])
  await team.api.post('/v1/contacts', { email: 'a@b.test', firstName: 'Ada' })
  const before = (await countedOf(team)) - (await storedOf(team))
  const execution = await runWorkflow(posthorn, team, body.id)
  const output = JSON.stringify(outputOf(execution)).length
  assert.equal(outputOf(await goOnAfterKill(posthorn, team, execution)).email, 'a@b.test')
  // The fixture deletes the first output without counting it.
  assert.equal((await countedOf(team)) - (await storedOf(team)) - before, output)
})

test('a team that stores as much as its plan allows is refused an execution by request or URL, and told why', async () => {
  const { team, flow, id } = await fullTeam()
  const hook = await activateChain(team, [{ type: 'delay', config: { duration: '0s' } }], {
    type: 'webhook_received',
    config: {},
  })
  assert.equal(hook.status, 200, hook.text)
  const refused = [
    await team.api.post(flow.executionsPath, {}),
    await team.api.post(`${flow.executionsPath}/${id}/rerun`, {}),
    await posthorn.anyone.post(`/v1/workflows/triggers/${hook.body.triggerKey}`, {}),
  ]
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.name, body.limit, body.max], [422, 'plan_limit_exceeded', 'storedBytes', 10_000])
    assert.match(body.message, /workflows/)
  }
  assert.deepEqual([await totalOf(team, flow.path), await totalOf(team, `/v1/workflows/${hook.body.id}`)], [1, 0])
  await fold()
  assert.equal((await team.api.post(flow.executionsPath, {})).status, 422, 'once the changes are added up')
})

test('a request that is repeated with its key is answered with its execution when the team is full', async () => {
  const team = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const flow = await makeFlow(team, [large], ['start>large'])
  const key = { 'idempotency-key': 'order 7' }
  const id = await flow.run(posthorn, {}, key)
  const again = await team.api.post(flow.executionsPath, {}, key)
  assert.deepEqual([again.status, again.body.id], [200, id])
  assert.equal((await team.api.post(flow.executionsPath, {}, { 'idempotency-key': 'order 8' })).status, 422)
})

slowTest('events and schedules start nothing for a full team, and the log says so once a minute', async () => {
  const team = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const quiet = [{ type: 'delay', config: { duration: '0s' } }]
  const created = { type: 'contact_event', config: { events: ['created'] } }
  const event = await activateChain(team, quiet, created)
  const schedule = await activateChain(team, quiet, { type: 'schedule', config: { cron: '0 0 1 1 *' } })
  const { body: contact } = await team.api.post('/v1/contacts', { email: 'ada@example.com' })
  await posthorn.runDueJobs()
  const flow = await makeFlow(team, [large], ['start>large'])
  await flow.run(posthorn)
  const paths = [event, schedule].map(({ body }) => `/v1/workflows/${body.id}`)
  assert.deepEqual(await Promise.all(paths.map((path) => totalOf(team, path))), [1, 0])
  const segments = await activateChain(team, quiet, { type: 'contact_event', config: { events: ['updated'] } })
  const other = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const others = await activateChain(other, quiet, created)
  await other.api.post('/v1/contacts', { email: 'bob@example.com' })
  for (const firstName of ['Ada', 'Countess']) {
    await team.api.patch(`/v1/contacts/${contact.id}`, { firstName })
    await posthorn.runDueJobs()
  }
  assert.equal(await totalOf(team, `/v1/workflows/${segments.body.id}`), 0)
  assert.equal(await totalOf(other, `/v1/workflows/${others.body.id}`), 1)
  const told = () => lines.filter(({ teamId, msg }) => teamId === team.id && msg.includes('not started'))
  assert.equal(told().length, 1)
  const newYear = new Date(Date.UTC(posthorn.clock.now().getUTCFullYear() + 1, 0, 1))
  await posthorn.runDueJobsAfter(newYear.getTime() - posthorn.clock.now().getTime())
  assert.equal(await totalOf(team, paths[1]!), 0)
  assert.equal(told().length, 2)
  const jobs = await sql`select from jobs where team_id = ${team.id} and attempts > 1`.execute(posthorn.app.db)
  assert.equal(jobs.rows.length, 0)
})

test('an execution under way continues to its end when the team becomes full', async () => {
  const team = await posthorn.team({ limits: { storedBytes: 10_000 } })
  const made = await activateChain(team, [
    { type: 'code', config: { source: 'return "x".repeat(20000)' } },
    { type: 'delay', config: { duration: '20s' } },
    { type: 'code', config: { source: 'return "done"' } },
  ])
  const execution = await runWorkflow(posthorn, team, made.body.id)
  assert.equal(execution.status, 'completed')
})

test('deleting a workflow frees its stored bytes, and the bytes of one team do not limit another', async () => {
  const [{ team, flow }, neighbour] = [await fullTeam(), await posthorn.team({ plan: 'free' })]
  const second = await makeFlow(team, [delay('a', '0s')], ['start>a'])
  const theirs = await makeFlow(neighbour, [delay('a', '0s')], ['start>a'])
  assert.equal((await team.api.post(second.executionsPath, {})).status, 422)
  assert.equal((await neighbour.api.post(theirs.executionsPath, {})).status, 200)
  await team.api.post(`${flow.path}/activate`)
  assert.equal((await team.api.delete(flow.path)).status, 200)
  await posthorn.runDueJobs()
  assert.equal(await countedOf(team), 0)
  assert.equal((await team.api.post(second.executionsPath, {})).status, 200)
})
