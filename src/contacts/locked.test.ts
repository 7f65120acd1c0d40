import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok, type TestTeam } from '../../test/app.ts'
import { countWaiting, untilWaiting, whileLocked } from '../../test/while-locked.ts'

const posthorn = await createTestApp()
const { app } = posthorn

async function add(team: TestTeam, email = 'ada@people.test'): Promise<string> {
  return (await ok(team.api.post('/v1/contacts', { email }))).id
}

const patch = (team: TestTeam, id: string, body: object) => team.api.patch(`/v1/contacts/${id}`, body)

const lockOf = (...ids: string[]) => sql`select from contacts where id = any(${ids}::uuid[]) for no key update`

const ofContacts = 'from contacts'

test('a contact that is locked holds up neither other contacts of its team nor other teams', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const [ada, bob, eve] = [await add(team), await add(team, 'bob@people.test'), await add(other)]
  const waiting = await whileLocked(app, lockOf(ada), async () => {
    const changes = Array.from({ length: 20 }, (_, at) => patch(team, ada, { properties: { at } }))
    await untilWaiting(app, 1, ofContacts)
    for (let turn = 0; turn < 3; turn++) {
      changes.push(patch(team, ada, { lastName: 'Lovelace' }))
      const [ofTeam, ofOther] = [patch(team, bob, { firstName: 'Bob' }), patch(other, eve, { firstName: 'Eve' })]
      assert.equal((await ok(ofOther)).firstName, 'Eve')
      assert.equal((await ok(ofTeam)).firstName, 'Bob')
    }
    assert.equal(await countWaiting(app, ofContacts), 1, 'connections that wait')
    return changes
  })
  for (const answer of waiting) assert.equal((await ok(answer)).email, 'ada@people.test')
  assert.equal((await ok(team.api.get(`/v1/contacts/${ada}`))).lastName, 'Lovelace')
})

test('the locked contacts of many teams take a quarter of the connections, and each change is made in the end', async () => {
  const teams = await Promise.all(Array.from({ length: 6 }, () => posthorn.team()))
  const ids = await Promise.all(teams.map((team) => add(team)))
  const free = await posthorn.team()
  const waiting = await whileLocked(app, lockOf(...ids), async () => {
    const changes = teams.map((team, at) => patch(team, ids[at]!, { firstName: 'Ada' }))
    await untilWaiting(app, 3, ofContacts)
    assert.equal((await ok(patch(free, await add(free), { firstName: 'Free' }))).firstName, 'Free')
    assert.equal(await countWaiting(app, ofContacts), 3)
    return changes
  })
  for (const answer of waiting) assert.equal((await ok(answer)).firstName, 'Ada')
})

test('a contact that is deleted while its change waits is not found', async () => {
  const team = await posthorn.team()
  const id = await add(team)
  const [waiting] = await whileLocked(app, sql`delete from contacts where id = ${id}`, async () => {
    const change = patch(team, id, { firstName: 'Ada' })
    await untilWaiting(app, 1, ofContacts)
    return [change]
  })
  assert.equal((await waiting!).status, 404)
})

for (const [what, of] of [
  ['a contact', (id: string) => `/v1/contacts/${id}`],
  ['a member of a segment', (id: string, segmentId: string) => `/v1/segments/${segmentId}/contacts/${id}`],
] as const)
  test(`requests that delete ${what} leave connections to other teams while contacts are locked`, async () => {
    const [team, other] = [await posthorn.team(), await posthorn.team()]
    const contactIds = await Promise.all(Array.from({ length: 20 }, (_, at) => add(team, `reader${at}@people.test`)))
    const segment = await ok(team.api.post('/v1/segments', { name: 'Readers' }), 201)
    await ok(team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds }))
    const waiting = await whileLocked(app, lockOf(...contactIds), async () => {
      const deletions = contactIds.map((id) => team.api.delete(of(id, segment.id)))
      await untilWaiting(app, 2, 'contacts')
      assert.equal((await ok(patch(other, await add(other), { firstName: 'Eve' }))).firstName, 'Eve')
      assert.equal(await countWaiting(app, 'contacts'), 2)
      return deletions
    })
    for (const answer of waiting) assert.equal((await ok(answer)).deleted, true)
    assert.equal((await ok(team.api.get(`/v1/segments/${segment.id}`))).contactCount, 0)
  })
