import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { promptMs } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { activate, type Drawing, draw } from '../fixtures/make.ts'
import { faultsOf, line, node, sound } from './fixtures/draw.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

test('activate activates a draft, deactivates it and activates it again', async () => {
  const { body: drawn } = await draw(team, sound)
  const path = `/v1/workflows/${drawn.id}`
  for (const status of ['active', 'inactive', 'active', 'inactive']) {
    const answer = await team.api.post(`${path}/activate`)
    assert.deepEqual([answer.status, answer.body], [200, { ...drawn, status }])
    assert.deepEqual((await team.api.get(path)).body, answer.body)
  }
  assert.equal((await team.api.patch(path, { name: 'Farewell' })).body.status, 'inactive')
})

/** Graphs that cannot be activated, with all of their faults. */
const unfit: Record<string, [Drawing, RegExp[]]> = {
  'no nodes': [{ nodes: [], connections: [] }, [/^nodes: are empty: begin with one of email_event, /]],
  'no trigger': [{ nodes: [node('a')], connections: [] }, [/^nodes: hold no trigger: begin with one of /]],
  'two triggers': [
    { nodes: [node('a', 'manual'), node('b', 'schedule'), node('c')], connections: [line('a', 'c'), line('b', 'c')] },
    [/^nodes: hold 2 triggers, "a", "b": leave one$/],
  ],
  'a connection to the trigger': [
    { nodes: [node('a', 'manual'), node('b')], connections: [line('a', 'b'), line('b', 'a')] },
    [
      /^connections\[1\]\.target: is the trigger "a", which nothing can lead to$/,
      /^connections: lead in a cycle through "a", "b": take one out$/,
    ],
  ],
  'two cycles, one of them with two ways round': [
    {
      nodes: [node('t', 'manual'), ...['a', 'b', 'c', 'd', 'e'].map((id) => node(id))],
      connections: [
        ...[line('t', 'a'), line('a', 'b'), line('b', 'a')],
        ...[line('b', 'c'), line('c', 'd'), line('d', 'e'), line('e', 'c'), line('d', 'c')],
      ],
    },
    [
      /^connections: lead in a cycle through "a", "b": take one out$/,
      /^connections: lead in a cycle through "c", "d", "e": take one out$/,
    ],
  ],
  'nodes that the trigger does not lead to': [
    { nodes: [node('t', 'manual'), node('a'), node('b')], connections: [line('a', 'b')] },
    [/^nodes\[1\]: "a" cannot be reached/, /^nodes\[2\]: "b" cannot be reached/],
  ],
  'a condition that leads on without a branch': [
    {
      nodes: [node('t', 'manual'), node('if', 'condition'), node('a')],
      connections: [line('t', 'if'), line('if', 'a')],
    },
    [/^connections\[1\]\.branch: must be "true" or "false": it comes from "if"/],
  ],
  'a branch behind a node that does not decide': [
    { nodes: [node('t', 'manual'), node('a', 'filter')], connections: [line('t', 'a', 'true')] },
    [/^connections\[0\]\.branch: must be null: it comes from "t"/],
  ],
  'a config with an unknown field': [
    { nodes: [node('t', 'manual', { events: ['created'] })], connections: [] },
    [/^nodes\[0\]\.config\.events: is not a known field; check the spelling \(node "t"\)$/],
  ],
  'a config with several faults': [
    { nodes: [node('t', 'contact_event', { events: ['created', 'deleted'], segment: 'x' })], connections: [] },
    [/^nodes\[0\]\.config\.segment: .*"t"/, /^nodes\[0\]\.config\.events\[1\]: must be one of created, .*"t"/],
  ],
  'a config that is wrong in what no schema says': [
    { nodes: [node('t', 'schedule', { cron: '99 * * * *' })], connections: [] },
    [/^nodes\[0\]\.config\.cron: .*\(node "t"\)$/],
  ],
  'an unknown id': [
    { nodes: [node('t', 'contact_event', { events: ['created'], segment_id: unknownId })], connections: [] },
    [new RegExp(`^nodes\\[0\\]\\.config\\.segment_id: ${unknownId} is not a segment of this team \\(node "t"\\)$`)],
  ],
}
for (const [what, [drawing, expected]] of Object.entries(unfit)) {
  test(`a workflow with ${what} is not activated`, async () => {
    const { body: drawn } = await draw(team, drawing)
    const answer = await team.api.post(`/v1/workflows/${drawn.id}/activate`)
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.name, 'validation_error')
    const faults = faultsOf(answer)
    assert.equal(faults.length, expected.length, faults.join('\n'))
    for (const [index, fault] of faults.entries()) assert.match(fault, expected[index]!)
    assert.equal((await team.api.get(`/v1/workflows/${drawn.id}`)).body.status, 'draft')
    const triggers = await posthorn.app.db
      .selectFrom('workflow_triggers')
      .select('type')
      .where('workflow_id', '=', drawn.id)
      .execute()
    assert.deepEqual(triggers, [])
  })
}

test('no fault hides another', async () => {
  const answer = await activate(team, {
    nodes: [
      node('one', 'contact_event', { events: [] }),
      node('two', 'contact_event', { events: ['created'], segment_id: unknownId }),
      node('three', 'schedule', { cron: 'never' }),
      node('a'),
      node('b'),
      node('lonely', 'condition'),
      node('wait', 'delay', { duration: 'long' }),
    ],
    connections: [
      ...[line('one', 'a'), line('a', 'b'), line('b', 'a'), line('b', 'two', 'true')],
      ...[line('lonely', 'three'), line('a', 'wait')],
    ],
  })
  assert.equal(answer.status, 400)
  const faults = faultsOf(answer)
  for (const expected of [
    /^nodes: hold 3 triggers, "one", "two", "three"/,
    /^connections\[3\]\.target: is the trigger "two"/,
    /^connections\[4\]\.target: is the trigger "three"/,
    /^connections\[3\]\.branch: must be null/,
    /^connections\[4\]\.branch: must be "true" or "false"/,
    /^connections: lead in a cycle through "a", "b"/,
    /^nodes\[5\]: "lonely" cannot be reached/,
    /^nodes\[0\]\.config\.events: .*"one"/,
    /^nodes\[2\]\.config\.cron: .*"three"/,
    /^nodes\[6\]\.config\.duration: .*"wait"/,
    /^nodes\[1\]\.config\.segment_id: .*"two"/,
  ]) {
    const found = faults.filter((fault) => expected.test(fault))
    assert.equal(found.length, 1, `${expected} in\n${faults.join('\n')}`)
  }
  assert.equal(faults.length, 11, faults.join('\n'))
})

test('ids in a config must be of the team, whatever their case', async () => {
  const stranger = await posthorn.team()
  const { body: segment } = await team.api.post('/v1/segments', { name: 'Mine' })
  const drawing = (id: string) => ({
    nodes: [node('t', 'manual'), node('add', 'add_segment', { segment_id: id, contact: 'ada@people.test' })],
    connections: [line('t', 'add')],
  })
  assert.equal((await activate(team, drawing(segment.id.toUpperCase()))).status, 200)
  const [theirs, unknown] = [
    await activate(stranger, drawing(segment.id)),
    await activate(stranger, drawing(unknownId)),
  ]
  assert.equal(theirs.status, 400, theirs.text)
  assert.equal(theirs.text.replaceAll(segment.id, unknownId), unknown.text)
})

test('a deactivation checks nothing, and an activation checks the graph again', async () => {
  const { body: segment } = await team.api.post('/v1/segments', { name: 'Soon gone' })
  const answer = await activate(team, {
    nodes: [node('t', 'contact_event', { events: ['created'], segment_id: segment.id })],
    connections: [],
  })
  assert.equal(answer.body.status, 'active')
  await team.api.delete(`/v1/segments/${segment.id}`)
  const path = `/v1/workflows/${answer.body.id}/activate`
  assert.equal((await team.api.post(path)).body.status, 'inactive')
  assert.equal((await team.api.post(path)).status, 400)
})

test('the largest graph is checked and activated', async () => {
  const nodes = [node('t', 'manual'), ...Array.from({ length: 199 }, (_, n) => node(`n${n + 1}`))]
  const connections = nodes
    .flatMap(({ id }, n) => [1, 2, 3, 4, 5].flatMap((step) => (nodes[n + step] ? [line(id, nodes[n + step]!.id)] : [])))
    .slice(0, 1000)
  const answer = await activate(team, { nodes, connections })
  assert.equal(answer.status, 200, answer.text)
})

test('a hundred thousand faults in one config are refused without listing them', async () => {
  const events = Array(100_000).fill(5)
  const answer = await activate(team, { nodes: [node('t', 'contact_event', { events })], connections: [] })
  assert.equal(answer.status, 400)
  assert.ok(answer.body.errors.length >= 1 && answer.body.errors.length <= 50)
})

slowTest('patterns that would take minutes to compile are refused quickly', async () => {
  const pattern = '.{999}'.repeat(166)
  const rules = Array(100).fill({ left: 'a', operator: 'matches', right: pattern })
  const filters = Array.from({ length: 9 }, (_, n) => node(`f${n}`, 'filter', { all: rules }))
  const started = performance.now()
  const answer = await activate(team, {
    nodes: [node('t', 'manual'), ...filters],
    connections: filters.map(({ id }) => line('t', id)),
  })
  assert.equal(answer.status, 400)
  assert.match(faultsOf(answer)[0]!, /^nodes\[1\]\.config\.all\[0\]\.right: is too much work/)
  assert.ok(performance.now() - started < promptMs)
})
