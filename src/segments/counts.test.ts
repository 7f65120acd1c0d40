import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { randomCases, slowTest } from '../../test/slow.ts'

const posthorn = await createTestApp()

const make = async ({ api }: TestTeam, noun: 'segments' | 'topics') =>
  (await api.post(`/v1/${noun}`, { name: 'One' })).body.id
const contact = async ({ api }: TestTeam, email: string): Promise<string> =>
  (await api.post('/v1/contacts', { email })).body.id

test('a segment counts its contacts and the unsubscribed ones among them through all their changes', async () => {
  const team = await posthorn.team()
  const id = await make(team, 'segments')
  const [ada, bob] = [await contact(team, 'ada@people.test'), await contact(team, 'bob@people.test')]
  const step = async (work: Promise<{ status: number }>, expected: [number, number]) => {
    assert.equal((await work).status, 200)
    assert.deepEqual(await shown(team, id), expected)
    await fold()
    assert.deepEqual(await shown(team, id), expected)
  }
  await step(team.api.post(`/v1/segments/${id}/contacts`, { contactIds: [ada, bob] }), [2, 0])
  await step(team.api.patch(`/v1/contacts/${ada}`, { unsubscribed: true }), [2, 1])
  await step(team.api.patch(`/v1/contacts/${ada}`, { unsubscribed: true, firstName: 'Ada' }), [2, 1])
  await step(team.api.delete(`/v1/segments/${id}/contacts/${ada}`), [1, 0])
  await step(team.api.post(`/v1/segments/${id}/contacts`, { contactIds: [ada] }), [2, 1])
  await step(team.api.delete(`/v1/contacts/${ada}`), [1, 0])
  await step(team.api.delete(`/v1/contacts/${bob}`), [0, 0])
})

/** A change to a contact, a segment or a topic. The numbers are indexes into those of a run. */
type Step = { act: keyof typeof acts; contact: number; group: number }
type Scene = { team: TestTeam; contacts: string[]; segments: string[]; topics: string[] }

const acts = {
  add: ({ team, contacts, segments }: Scene, { contact, group }: Step) =>
    team.api.post(`/v1/segments/${segments[group]}/contacts`, { contactIds: contacts.slice(contact) }),
  remove: ({ team, contacts, segments }: Scene, { contact, group }: Step) =>
    team.api.delete(`/v1/segments/${segments[group]}/contacts/${contacts[contact]}`),
  turn: ({ team, contacts }: Scene, { contact, group }: Step) =>
    team.api.patch(`/v1/contacts/${contacts[contact]}`, { unsubscribed: group % 2 === 0 }),
  import: ({ team, segments }: Scene, { contact, group }: Step) =>
    team.api.post('/v1/contacts/import', {
      contacts: [4, 1, 3, 0, 2].slice(contact).map((n) => ({ email: `n${n}@people.test`, unsubscribed: group === 0 })),
      segmentId: segments[group],
    }),
  subscribe: ({ team, contacts, topics }: Scene, { contact, group }: Step) =>
    team.api.post(`/v1/topics/${topics[group]}/contacts`, { contactIds: contacts.slice(contact) }),
  optOut: ({ team, contacts, topics }: Scene, { contact, group }: Step) =>
    team.api.delete(`/v1/topics/${topics[group]}/contacts/${contacts[contact]}`),
  replaceContact: async ({ team, contacts }: Scene, { contact: index }: Step) => {
    const old = contacts[index]
    contacts[index] = await contact(team, `${posthorn.app.newId()}@people.test`)
    return team.api.delete(`/v1/contacts/${old}`)
  },
  replaceSegment: async ({ team, segments }: Scene, { group }: Step) => {
    const old = segments[group]
    segments[group] = await make(team, 'segments')
    return team.api.delete(`/v1/segments/${old}`)
  },
  replaceTopic: async ({ team, topics }: Scene, { group }: Step) => {
    const old = topics[group]
    topics[group] = await make(team, 'topics')
    return team.api.delete(`/v1/topics/${old}`)
  },
  fold: async () => {
    await fold()
    return { status: 200 }
  },
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]), 'turn', 'add', 'remove'),
  contact: fc.nat(4),
  group: fc.nat(1),
})

slowTest('counts equal the numbers of rows after any simultaneous changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { maxLength: 8 }), async (rounds) => {
      const team = await posthorn.team()
      const scene: Scene = { team, contacts: [], segments: [], topics: [] }
      for (let n = 0; n < 5; n++) scene.contacts.push(await contact(team, `n${n}@people.test`))
      for (let n = 0; n < 2; n++) {
        scene.segments.push(await make(team, 'segments'))
        scene.topics.push(await make(team, 'topics'))
      }
      for (const round of rounds) {
        const answers = await Promise.all(round.map((step) => acts[step.act](scene, step)))
        // 404 and 400 mean that the object has just been deleted.
        for (const [index, { status }] of answers.entries())
          assert.ok(status < 500 && status !== 409, `${round[index]!.act}: ${status}`)
      }
      await assertExact(scene)
      await fold()
      await assertExact(scene)
    }),
    { numRuns: randomCases(12), endOnFailure: true },
  )
})

async function assertExact({ team, segments, topics }: Scene): Promise<void> {
  for (const id of segments) assert.deepEqual(await shown(team, id), await counted(id))
  for (const id of topics) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from topic_subscriptions where topic_id = ${id} and status = 'opt_in'
    `.execute(posthorn.app.db)
    assert.equal((await team.api.get(`/v1/topics/${id}`)).body.subscriberCount, rows[0]!.count)
  }
}

async function shown({ api }: TestTeam, id: string): Promise<[number, number]> {
  const { body } = await api.get(`/v1/segments/${id}`)
  return [body.contactCount, body.unsubscribedCount]
}

async function counted(id: string): Promise<[number, number]> {
  const { rows } = await sql<{ all: number; unsubscribed: number }>`
    select count(*)::integer as all, count(*) filter (where unsubscribed)::integer as unsubscribed
    from segment_contacts join contacts using (team_id) where id = contact_id and segment_id = ${id}
  `.execute(posthorn.app.db)
  return [rows[0]!.all, rows[0]!.unsubscribed]
}

async function fold(): Promise<void> {
  await posthorn.runDueJobsAfter(5000)
}
