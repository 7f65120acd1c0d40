import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp, type TestTeam } from '../../test/app.ts'

const posthorn = await sharedTestApp()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The counts of a group without contacts. */
const kinds = {
  segment: { contactCount: 0, unsubscribedCount: 0 },
  topic: { subscriberCount: 0 },
}

for (const [noun, counts] of Object.entries(kinds)) {
  const path = `/v1/${noun}s`
  const make = ({ api }: TestTeam, name = 'One') => ok(api.post(path, { name }), 201)
  const contact = async ({ api }: TestTeam, email: string) =>
    (await ok(api.post('/v1/contacts', { email }))).id as string

  test(`a ${noun} begins without contacts, reads back as written, and is renamed`, async () => {
    const team = await posthorn.team()
    const made = await make(team)
    const { id, ...rest } = made
    assert.deepEqual(rest, { name: 'One', ...counts, createdAt: posthorn.clock.now().toISOString() })
    assert.deepEqual(await ok(team.api.get(`${path}/${id}`)), made)
    assert.deepEqual(await ok(team.api.patch(`${path}/${id}`, { name: 'Two' })), { ...made, name: 'Two' })
  })

  test(`the list of ${noun}s is complete and newest first`, async () => {
    const team = await posthorn.team()
    const made = [await make(team, 'One'), await make(team, 'One'), await make(team, 'Two')]
    assert.deepEqual((await ok(team.api.get(path))).data, made.reverse())
  })

  test(`ids that are not contacts of the team are reported, and then no contact is added to the ${noun}`, async () => {
    const [team, stranger] = [await posthorn.team(), await posthorn.team()]
    const group = await make(team)
    const [ada, theirs] = [await contact(team, 'ada@people.test'), await contact(stranger, 'eve@people.test')]
    const refused = await team.api.post(`${path}/${group.id}/contacts`, { contactIds: [unknownId, ada, theirs] })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.errors, [
      { path: 'contactIds[0]', message: `${unknownId} is not a contact of this team` },
      { path: 'contactIds[2]', message: `${theirs} is not a contact of this team` },
    ])
    assert.deepEqual(await ok(team.api.get(`${path}/${group.id}`)), group)
  })

  test(`deleting a ${noun} takes its contacts out of it, and keeps them`, async () => {
    const team = await posthorn.team()
    const { id } = await make(team)
    const ada = await contact(team, 'ada@people.test')
    await ok(team.api.post(`${path}/${id}/contacts`, { contactIds: [ada] }))
    assert.deepEqual(await ok(team.api.delete(`${path}/${id}`)), { id, deleted: true })
    assert.deepEqual((await ok(team.api.get(`/v1/contacts/${ada}`)))[`${noun}s`], [])
    for (const answer of [
      await team.api.get(`${path}/${id}`),
      await team.api.patch(`${path}/${id}`, { name: 'x' }),
      await team.api.delete(`${path}/${id}`),
      await team.api.post(`${path}/${id}/contacts`, { contactIds: [ada] }),
      await team.api.delete(`${path}/${id}/contacts/${ada}`),
    ])
      assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'])
    assert.deepEqual((await ok(team.api.get(path))).data, [])
  })

  test(`a ${noun} cannot be deleted while a broadcast to it is sent; a draft does not prevent it`, async () => {
    const team = await posthorn.team()
    const { id } = await make(team)
    const { id: segmentId } = await ok(team.api.post('/v1/segments', { name: 'Customers' }), 201)
    const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
    const content = { name: 'News', from: `a@${team.domain}`, subject: 'News', text: 'Hello', scheduledAt }
    const broadcast = await ok(team.api.post('/v1/broadcasts', { ...content, segmentId, [`${noun}Id`]: id }), 201)
    assert.equal((await ok(team.api.post(`/v1/broadcasts/${broadcast.id}/send`))).status, 'scheduled')
    const refused = await team.api.delete(`${path}/${id}`)
    assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
    assert.match(refused.body.message, /"News"/)
    assert.equal((await ok(team.api.post(`/v1/broadcasts/${broadcast.id}/cancel`))).status, 'draft')
    await ok(team.api.delete(`${path}/${id}`))
  })

  test(`an invalid field of a ${noun} is refused by name`, async () => {
    const team = await posthorn.team()
    const { id } = await make(team)
    const count = Object.keys(counts)[0]!
    const refused: [unknown, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'x', [count]: 1 }, count],
    ]
    for (const [body, field] of refused) {
      for (const answer of [await team.api.post(path, body), await team.api.patch(`${path}/${id}`, body)])
        assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, field], JSON.stringify(body))
    }
    for (const contactIds of [[], ['42'], unknownId, undefined, Array(10_001).fill(unknownId)])
      assert.equal((await team.api.post(`${path}/${id}/contacts`, { contactIds })).status, 400)
    assert.equal((await team.api.delete(`${path}/${id}/contacts/42`)).status, 400)
  })
}
