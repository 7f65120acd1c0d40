import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { slowTest } from '../../../../test/slow.ts'
import { untilWaiting, whileLocked } from '../../../../test/while-locked.ts'
import { unsubscribeTokenOf } from '../../../contacts/unsubscribe/token.ts'
import type { ActiveWorkflow } from '../../fixtures/make.ts'
import { activate } from '../fixtures/active.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()
/** Ids that two processes make in one millisecond have no order, so the clock advances between them. */
const runBoth = () => {
  posthorn.clock.advance(1)
  return Promise.all([posthorn, other].map(({ app }) => app.jobs.runDue()))
}

const on = (events: string[], segment_id?: string) => ({ type: 'contact_event', config: { events, segment_id } })

async function addContact({ api }: TestTeam, email = 'ada@people.test') {
  return (await api.post('/v1/contacts', { email, firstName: 'Ada', properties: { city: 'London' } })).body
}

async function addSegment({ api }: TestTeam, ...contactIds: string[]): Promise<string> {
  const { body } = await api.post('/v1/segments', { name: 'Customers' })
  if (contactIds.length > 0) await api.post(`/v1/segments/${body.id}/contacts`, { contactIds })
  return body.id
}

test('each event fires the workflows that listen to it, with the contact in the form of the API', async () => {
  const team = await posthorn.team()
  const all = await activate(team, on(['created', 'updated', 'unsubscribed', 'added_to_segment']))
  const unsubscribed = await activate(team, on(['unsubscribed']))
  const contact = await addContact(team)
  await runBoth()
  assert.deepEqual(await all.triggerData(), [{ event: 'created', contact }])
  const segmentId = await addSegment(team, contact.id)
  await runBoth()
  const { body: member } = await team.api.get(`/v1/contacts/${contact.id}`)
  assert.equal(member.segments[0].segmentId, segmentId)
  assert.deepEqual((await all.triggerData()).at(-1), { event: 'added_to_segment', contact: member })
  await team.api.patch(`/v1/contacts/${contact.id}`, { unsubscribed: true })
  await runBoth()
  const seen = (await all.triggerData()).map(({ event }) => event)
  assert.deepEqual(seen.slice(0, 2), ['created', 'added_to_segment'])
  assert.deepEqual(seen.slice(2).sort(), ['unsubscribed', 'updated'])
  const { body: gone } = await team.api.get(`/v1/contacts/${contact.id}`)
  assert.deepEqual(await unsubscribed.triggerData(), [{ event: 'unsubscribed', contact: gone }])
})

test('an unsubscription by the link in an email fires too', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, on(['unsubscribed']))
  const { id } = await addContact(team)
  const { unsubscribe_seed: seed } = await posthorn.app.db
    .selectFrom('contacts')
    .select('unsubscribe_seed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const token = unsubscribeTokenOf(posthorn.app.keyring, seed)
  for (const _ of ['once', 'again']) await posthorn.anyone.post(`/unsubscribe?token=${token}`)
  await runBoth()
  assert.deepEqual(
    (await workflow.triggerData()).map(({ event, contact }) => [event, contact.id]),
    [['unsubscribed', id]],
  )
})

test('with a segment, only additions to it fire, and other events of its members', async () => {
  const team = await posthorn.team()
  const [ada, bob] = [await addContact(team), await addContact(team, 'bob@people.test')]
  const segmentId = await addSegment(team)
  // Ids may be in capitals.
  const added = await activate(team, on(['added_to_segment'], segmentId.toUpperCase()))
  const updated = await activate(team, on(['updated'], segmentId))
  await team.api.post(`/v1/segments/${segmentId.toUpperCase()}/contacts`, { contactIds: [ada.id] })
  await addSegment(team, ada.id, bob.id)
  for (const { id } of [ada, bob]) await team.api.patch(`/v1/contacts/${id}`, { lastName: 'New' })
  await runBoth()
  for (const workflow of [added, updated]) {
    assert.deepEqual(
      (await workflow.triggerData()).map(({ contact }) => contact.id),
      [ada.id],
    )
  }
})

slowTest('an import of thousands fires once for each contact and workflow, whichever process runs a page', async () => {
  const team = await posthorn.team()
  const workflows = [await activate(team, on(['created'])), await activate(team, on(['created', 'updated']))]
  const contacts = Array.from({ length: 1234 }, (_, index) => ({ email: `${index}@people.test` }))
  const { body } = await team.api.post('/v1/contacts/import', { contacts })
  assert.equal(body.created, 1234)
  await Promise.all([runBoth(), runBoth()])
  for (const { id } of workflows) {
    const found = await posthorn.app.db
      .selectFrom('workflow_executions')
      .select('trigger_data')
      .where('workflow_id', '=', id)
      .execute()
    const known = new Set(found.map((row) => (row.trigger_data as { contact: { id: string } }).contact.id))
    assert.deepEqual([found.length, known.size], [1234, 1234])
  }
})

test('another process continues the page of a process that stands still, and no execution starts twice', async () => {
  const team = await posthorn.team()
  const workflows: ActiveWorkflow[] = []
  for (let count = 0; count < 3; count++) workflows.push(await activate(team, on(['created'])))
  const contacts = Array.from({ length: 100 }, (_, index) => ({ email: `${index}@people.test` }))
  await team.api.post('/v1/contacts/import', { contacts })
  // The second page, for the second workflow, waits for this lock.
  const lock = sql`select from workflows where id = ${workflows[1]!.id} for update`
  const runs = await whileLocked(posthorn.app, lock, async () => {
    const stopped = posthorn.runDueJobs()
    await untilWaiting(posthorn.app)
    assert.equal((await workflows[0]!.executions()).length, 100)
    posthorn.clock.advance(31_000)
    const taken = other.app.jobs.runDue()
    await untilWaiting(posthorn.app, 2)
    return [stopped, taken]
  })
  await Promise.all(runs)
  await runBoth()
  for (const workflow of workflows) assert.equal((await workflow.executions()).length, 100)
})

test('a workflow that is not active, or was not at the time of the event, does not fire', async () => {
  const team = await posthorn.team()
  const [before, meanwhile] = [await activate(team, on(['created'])), await activate(team, on(['created']))]
  await before.switch()
  await addContact(team)
  await before.switch()
  await meanwhile.switch()
  await runBoth()
  assert.deepEqual([await before.executions(), await meanwhile.executions()], [[], []])
})

test('a contact that is deleted before its executions start fires nothing', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, on(['created']))
  const { id } = await addContact(team)
  await team.api.delete(`/v1/contacts/${id}`)
  await runBoth()
  assert.deepEqual(await workflow.executions(), [])
})

test('events of another team do not fire', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const workflow = await activate(team, on(['created']))
  await addContact(stranger)
  await runBoth()
  assert.deepEqual(await workflow.executions(), [])
  assert.equal((await jobsLeft(stranger)).length, 0)
})

function jobsLeft({ id }: TestTeam) {
  return posthorn.app.db.selectFrom('jobs').select('kind').where('team_id', '=', id).execute()
}

test('an event that no workflow listens to is not kept', async () => {
  const team = await posthorn.team()
  await activate(team, on(['updated']))
  await addContact(team)
  assert.deepEqual(await jobsLeft(team), [])
})

test('a segment of another team cannot be listened to', async () => {
  const [team, stranger] = [await posthorn.team(), await posthorn.team()]
  const { body } = await team.api.post('/v1/workflows', { name: 'Nosy' })
  const nodes = [{ id: 'start', ...on(['created'], await addSegment(stranger)) }]
  await team.api.patch(`/v1/workflows/${body.id}`, { nodes, connections: [] })
  const refused = await team.api.post(`/v1/workflows/${body.id}/activate`)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].path, 'nodes[0].config.segment_id')
})
