import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { goOnAfterKill } from '../fixtures/killed.ts'
import { activateChain, errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await createTestApp()

async function draftOf(team: TestTeam, more: object = {}): Promise<string> {
  const segment = (await team.api.post('/v1/segments', { name: 'All' })).body
  const contact = (await team.api.post('/v1/contacts', { email: 'ada@example.com' })).body
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId: segment.id, subject: 'News', text: 'New.' }
  return (await team.api.post('/v1/broadcasts', { ...fields, ...more })).body.id
}

const send = (team: TestTeam, broadcast_id: string, triggerData?: object) =>
  runChain(posthorn, team, [{ type: 'send_broadcast', config: { broadcast_id } }], triggerData)

const statusOf = async (team: TestTeam, id: string) => (await team.api.get(`/v1/broadcasts/${id}`)).body.status

test('a draft is sent', async () => {
  const team = await posthorn.team()
  const id = await draftOf(team)
  assert.deepEqual(outputOf(await send(team, id)), { broadcastId: id, status: 'queued' })
  await posthorn.runDueJobs()
  assert.equal(await statusOf(team, id), 'sent')
  assert.equal((await team.api.get('/v1/inbox')).body.data.length, 1)
})

test('a draft with a time is scheduled, also if its id comes from the trigger', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const id = await draftOf(team, { scheduledAt })
  assert.deepEqual(outputOf(await send(team, '{{trigger.id}}', { id })), { broadcastId: id, status: 'scheduled' })
})

test('a broadcast whose id is given in capitals leaves no job behind when it is cancelled', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const id = await draftOf(team, { scheduledAt })
  outputOf(await send(team, '{{trigger.id}}', { id: id.toUpperCase() }))
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).body.status, 'draft')
  const jobs = posthorn.app.db.selectFrom('jobs').select('key').where('kind', '=', 'broadcasts.dispatch')
  assert.deepEqual(await jobs.where('team_id', '=', team.id).execute(), [])
})

test('a broadcast is sent once, also if its process is killed after sending and before recording it', async () => {
  const team = await posthorn.team()
  const id = await draftOf(team)
  const execution = await send(team, id)
  outputOf(execution)
  await posthorn.runDueJobsAfter(5 * 24 * 60 * 60 * 1000)
  const after = outputOf(await goOnAfterKill(posthorn, team, execution))
  assert.deepEqual(after, { broadcastId: id, status: 'sent' })
  assert.equal((await team.api.get('/v1/inbox')).body.data.length, 1)
})

test('a broadcast that is made a draft again before the record is not sent again by the same node', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  const id = await draftOf(team, { scheduledAt })
  const execution = await send(team, id)
  assert.equal((await team.api.post(`/v1/broadcasts/${id}/cancel`)).body.status, 'draft')
  outputOf(await goOnAfterKill(posthorn, team, execution))
  assert.equal(await statusOf(team, id), 'draft')
})

test('a broadcast that is unknown, not a draft, or may not be sent fails the node for good', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const before = posthorn.clock.now()
  const id = await draftOf(team)
  outputOf(await send(team, id))
  assert.match(errorOf(await send(team, id)), /Only a draft can be sent/)
  const theirs = await draftOf(other)
  assert.match(
    errorOf(await send(team, '{{trigger.id}}', { id: theirs })),
    /^broadcast_id: must be the id of a broadcast/,
  )
  assert.match(errorOf(await send(team, '{{trigger.id}}', {})), /^broadcast_id: .*became "{{trigger.id}}"/)
  assert.equal(await statusOf(other, theirs), 'draft')
  const domains = await draftOf(other, { from: 'a@nobody.test' })
  assert.match(errorOf(await send(other, domains)), /not a verified domain/)
  assert.deepEqual(posthorn.clock.now(), before)
})

test('a broadcast of another team, or an unknown one, is refused at activation', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  for (const broadcast_id of [await draftOf(other), 'x']) {
    const answer = await activateChain(team, [{ type: 'send_broadcast', config: { broadcast_id } }])
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.broadcast_id'])
  }
})
