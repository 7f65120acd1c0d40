import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, createTestApp, type TestTeam } from '../../../../test/app.ts'
import { pluck } from '../../../../test/pluck.ts'
import { slowTest } from '../../../../test/slow.ts'
import { createAudience } from '../../../broadcasts/fixtures/audience.ts'
import { eventsOf, person, sentHtml, trackingTeam } from '../../../emails/tracking/fixtures/tracked-mail.ts'
import type { ActiveWorkflow } from '../../fixtures/make.ts'
import { activate } from '../fixtures/active.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

async function settle() {
  for (let turn = 0; turn < 8; turn++) {
    await Promise.all([posthorn, other].map(({ app }) => app.jobs.runDue()))
    posthorn.clock.advance(2000)
  }
}

async function assertStopped(workflow: ActiveWorkflow) {
  const executions = await workflow.executions()
  // Two processes may make them in the same millisecond, so their order says nothing.
  const [failed, ...others] = executions.filter(({ status }) => status !== 'completed')
  assert.deepEqual([executions.length, failed?.status, others], [6, 'failed', []], JSON.stringify(executions))
  assert.match(failed!.error, /chain/)
}

const sendEmail = ({ domain }: TestTeam) => ({
  type: 'send_email',
  config: { from: `a@${domain}`, to: 'ada@people.test', subject: 'Again', html: '<body>Again</body>' },
})
const onEmail = (event: string) => ({ type: 'email_event', config: { events: [event] } })

slowTest('a workflow that its own emails trigger stops after five, and the sixth says why', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, onEmail('delivered'), sendEmail(team))
  await team.api.post('/v1/emails', { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' })
  await settle()
  await assertStopped(workflow)
  assert.equal((await team.api.get('/v1/emails')).body.total, 6)
})

slowTest('a workflow that the deliveries of its own emails trigger stops too', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, { type: 'webhook_received', config: {} }, sendEmail(team))
  const url = `/v1/workflows/triggers/${workflow.body.triggerKey}`
  await posthorn.anyone.post(url, {})
  for (let turn = 0; turn < 7; turn++) {
    await settle()
    const [last] = (await team.api.get('/v1/emails')).body.data
    const delivery = { type: 'email.delivered', created_at: last.createdAt, data: { email_id: last.id, details: null } }
    assert.equal((await posthorn.anyone.post(url, delivery)).status, 200)
  }
  await settle()
  const statuses = pluck(await workflow.executions(), 'status').toSorted()
  assert.deepEqual(statuses, [...Array(5).fill('completed'), 'failed', 'failed', 'failed'])
})

slowTest('events that come weeks later or in another process belong to the same chain', async () => {
  const team = await trackingTeam(posthorn)
  const workflow = await activate(team, onEmail('opened'), sendEmail(team))
  const first = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', html: '<body>Hi</body>' }
  let { id } = (await team.api.post('/v1/emails', first)).body
  for (let count = 1; count <= 6; count++) {
    await settle()
    posthorn.clock.advance(7 * 24 * 60 * 60_000)
    const pixel = (await sentHtml(team, id)).match(/\/t\/o\/[\w-]+/)![0]
    const reading = count % 2 === 0 ? posthorn : other
    await apiOf(reading, null).get(pixel, person)
    await eventsOf(reading, team, id, 'opened', 1)
    await settle()
    id = (await team.api.get('/v1/emails')).body.data[0].id
  }
  await assertStopped(workflow)
})

test('a workflow that its own change of a contact triggers stops too', async () => {
  const team = await posthorn.team()
  const workflow = await activate(
    team,
    { type: 'contact_event', config: { events: ['updated'] } },
    { type: 'update_contact', config: { last_name: '{{trigger.contact.lastName}}x' } },
  )
  const { body } = await team.api.post('/v1/contacts', { email: 'ada@people.test' })
  await team.api.patch(`/v1/contacts/${body.id}`, { lastName: 'L' })
  await settle()
  await assertStopped(workflow)
  assert.equal((await team.api.get(`/v1/contacts/${body.id}`)).body.lastName, 'Lxxxxx')
})

slowTest('workflows that trigger each other are one chain', async () => {
  const team = await posthorn.team()
  const segments = await Promise.all(
    ['One', 'Two'].map(async (name) => (await team.api.post('/v1/segments', { name })).body.id as string),
  )
  const move = (from: string, to: string) => [
    { type: 'contact_event', config: { events: ['added_to_segment'], segment_id: from } },
    { type: 'remove_segment', config: { segment_id: from } },
    { type: 'add_segment', config: { segment_id: to } },
  ]
  const there = await activate(team, ...move(segments[0]!, segments[1]!))
  const back = await activate(team, ...move(segments[1]!, segments[0]!))
  const { body } = await team.api.post('/v1/contacts', { email: 'ada@people.test' })
  await team.api.post(`/v1/segments/${segments[0]}/contacts`, { contactIds: [body.id] })
  await settle()
  const statuses = async (workflow: ActiveWorkflow) => (await workflow.executions()).map(({ status }) => status)
  assert.deepEqual(await statuses(there), ['completed', 'completed', 'completed'])
  assert.deepEqual(await statuses(back), ['completed', 'completed', 'failed'])
})

slowTest('the events of a broadcast and its end belong to the chain of the execution that sent it', async () => {
  const team = await posthorn.team()
  const audience = await createAudience(posthorn, team, [{ email: 'ada@people.test' }])
  const draft = { name: 'News', from: `a@${team.domain}`, segmentId: audience.segmentId, subject: 'News', text: 'News' }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', draft)
  const workflow = await activate(team, onEmail('delivered'), sendEmail(team))
  const end = await activate(team, { type: 'broadcast_complete' }, sendEmail(team))
  const start = await activate(
    team,
    { type: 'manual' },
    { type: 'send_broadcast', config: { broadcast_id: broadcast.id } },
  )
  await team.api.post(`${start.path}/executions`)
  await settle()
  // The broadcast's own email starts four more executions, and the email at its end, which is second in the chain,
  // three.
  assert.equal((await end.executions()).length, 1)
  const executions = (await workflow.executions()).map(({ status }) => status)
  assert.deepEqual(executions.filter((status) => status === 'completed').length, 4 + 3)
  assert.deepEqual(executions.filter((status) => status === 'failed').length, 2)
})

slowTest('an event that no execution caused begins a new chain', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, onEmail('delivered'))
  for (let count = 0; count < 7; count++) {
    await team.api.post('/v1/emails', { from: `a@${team.domain}`, to: ['a@people.test'], subject: 'Hi', text: 'Hi' })
    await settle()
  }
  assert.deepEqual(pluck(await workflow.executions(), 'status'), Array(7).fill('completed'))
})
