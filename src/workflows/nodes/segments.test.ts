import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { activateChain, errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await sharedTestApp()

async function world() {
  const team = await posthorn.team()
  const segmentId: string = (await team.api.post('/v1/segments', { name: 'VIP' })).body.id
  const contact = (await team.api.post('/v1/contacts', { email: 'Ada@example.com' })).body
  const members = async () => (await team.api.get(`/v1/segments/${segmentId}`)).body.contactCount
  return { team, segmentId, contact, members }
}

const run = (team: TestTeam, type: string, config: object, triggerData?: object) =>
  runChain(posthorn, team, [{ type, config }], triggerData)

test('the triggering contact is added and removed, and a repetition succeeds', async () => {
  const { team, segmentId, contact, members } = await world()
  const config = { segment_id: segmentId }
  const ids = { contactId: contact.id, segmentId }
  assert.deepEqual(outputOf(await run(team, 'add_segment', config, { contact })), { ...ids, added: true })
  assert.equal(await members(), 1)
  assert.deepEqual(outputOf(await run(team, 'add_segment', config, { contact })), { ...ids, added: false })
  assert.equal(await members(), 1)
  assert.deepEqual(outputOf(await run(team, 'remove_segment', config, { contact })), { ...ids, removed: true })
  assert.equal(await members(), 0)
  assert.deepEqual(outputOf(await run(team, 'remove_segment', config, { contact })), { ...ids, removed: false })
})

test('a contact is named by its id or by its address in any case', async () => {
  const { team, segmentId, contact, members } = await world()
  for (const name of [contact.id, contact.id.toUpperCase(), 'ADA@example.com', '{{trigger.email}}']) {
    const config = { segment_id: segmentId, contact: name }
    assert.equal(outputOf(await run(team, 'add_segment', config, { email: 'ada@EXAMPLE.com' })).added, true, name)
    assert.equal(outputOf(await run(team, 'remove_segment', config, { email: 'ada@EXAMPLE.com' })).removed, true, name)
  }
  assert.equal(await members(), 0)
})

test('both nodes fail for good for a missing contact, an unknown one, or one of another team', async () => {
  const [{ team, segmentId }, other] = [await world(), await world()]
  const before = posthorn.clock.now()
  for (const type of ['add_segment', 'remove_segment']) {
    const fails = async (contact: object, triggerData: object) =>
      errorOf(await run(team, type, { segment_id: segmentId, ...contact }, triggerData))
    assert.match(await fails({}, {}), /^contact: the trigger has no contact/)
    assert.match(await fails({}, { contact: null }), /^contact: the trigger has no contact/)
    assert.match(await fails({ contact: '{{trigger.x}}' }, {}), /^contact: must be the id .*became "{{trigger.x}}"/)
    assert.match(await fails({ contact: 'eve@example.com' }, {}), /^contact: .*became "eve@example.com"/)
    assert.match(await fails({ contact: '{{trigger.x}}' }, { x: other.contact.id }), /^contact: .*of this team/)
  }
  assert.deepEqual(posthorn.clock.now(), before)
})

test('an unknown segment in the trigger data, or one of another team, fails the node for good', async () => {
  const [{ team, contact }, other] = [await world(), await world()]
  for (const type of ['add_segment', 'remove_segment']) {
    for (const id of [other.segmentId, 'x', '', '01890a5d-ac96-774b-bcce-b302099a8057']) {
      const error = errorOf(await run(team, type, { segment_id: '{{trigger.id}}' }, { id, contact }))
      assert.match(error, /^segment_id: must be the id of a segment/)
    }
  }
  assert.equal(await other.members(), 0)
})

test('a segment of another team is refused at activation', async () => {
  const [{ team }, other] = [await world(), await world()]
  for (const type of ['add_segment', 'remove_segment']) {
    const answer = await activateChain(team, [{ type, config: { segment_id: other.segmentId } }])
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'nodes[1].config.segment_id'])
  }
})
