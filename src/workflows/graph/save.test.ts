import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { type Drawing, draw } from '../fixtures/make.ts'
import { faultsOf, line, node } from './fixtures/draw.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()

/** Graphs that are refused, with the path of their one fault. */
const refused: Record<string, [Partial<Drawing>, string]> = {
  'a node without an id': [{ nodes: [{ type: 'manual' }] }, 'nodes[0].id'],
  'a node without a type': [{ nodes: [{ id: 'a' }] }, 'nodes[0].type'],
  'a node of an unknown type': [{ nodes: [node('a', 'send_pigeon')] }, 'nodes[0].type'],
  'a type that objects have anyway': [{ nodes: [node('a', 'constructor')] }, 'nodes[0].type'],
  'an unknown field of a node': [{ nodes: [{ ...node('a'), titel: 'x' }] }, 'nodes[0].titel'],
  'a config that is a list': [{ nodes: [{ ...node('a'), config: [] }] }, 'nodes[0].config'],
  'a config that is null': [{ nodes: [{ ...node('a'), config: null }] }, 'nodes[0].config'],
  'half a position': [{ nodes: [{ ...node('a'), position: { x: 1 } }] }, 'nodes[0].position.y'],
  'a name of 201 characters': [{ nodes: [{ ...node('a'), name: 'x'.repeat(201) }] }, 'nodes[0].name'],
  'an empty id': [{ nodes: [node('')] }, 'nodes[0].id'],
  'an id of 65 characters': [{ nodes: [node('x'.repeat(65))] }, 'nodes[0].id'],
  'an id with a dot': [{ nodes: [node('a.b')] }, 'nodes[0].id'],
  'an id with a line break at its end': [{ nodes: [{ ...node('a\n'), name: 'a' }] }, 'nodes[0].id'],
  'an id that is a number': [{ nodes: [{ ...node('a'), id: 5 }] }, 'nodes[0].id'],
  'two nodes of one id': [{ nodes: [node('a'), node('b'), node('a')] }, 'nodes[2].id'],
  'two connections of one id': [
    { nodes: [node('a'), node('b')], connections: [line('a', 'b'), { ...line('b', 'a'), id: 'a-b' }] },
    'connections[1].id',
  ],
  'a connection from nowhere': [{ nodes: [node('a')], connections: [line('x', 'a')] }, 'connections[0].source'],
  'a connection to nowhere': [{ nodes: [node('a')], connections: [line('a', '__proto__')] }, 'connections[0].target'],
  'a connection from a node to itself': [{ nodes: [node('a')], connections: [line('a', 'a')] }, 'connections[0]'],
  'an unknown branch': [
    { nodes: [node('a', 'condition'), node('b')], connections: [line('a', 'b', 'maybe')] },
    'connections[0].branch',
  ],
  'a branch that is a boolean': [
    { nodes: [node('a', 'condition'), node('b')], connections: [{ ...line('a', 'b'), branch: true }] },
    'connections[0].branch',
  ],
  'the same connection twice': [
    { nodes: [node('a'), node('b')], connections: [line('a', 'b'), { ...line('a', 'b'), id: 'again' }] },
    'connections[1]',
  ],
  '201 nodes': [{ nodes: Array.from({ length: 201 }, (_, n) => node(`n${n}`)) }, 'nodes'],
  'a position past all screens': [{ nodes: [{ ...node('a'), position: { x: 1e300, y: 0 } }] }, 'nodes[0].position.x'],
}
for (const [what, [drawing, path]] of Object.entries(refused)) {
  test(`${what} is refused and not saved`, async () => {
    const before = await draw(team, { nodes: [node('kept')], connections: [] })
    const url = `/v1/workflows/${before.body.id}`
    const answer = await team.api.patch(url, { name: 'Changed', connections: [], ...drawing })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(pluck(answer.body.errors, 'path'), [path])
    assert.deepEqual((await team.api.get(url)).body, before.body)
  })
}

test('one answer names every fault, with its node', async () => {
  const answer = await draw(team, {
    nodes: [node('a b'), node('mail', 'send_mail'), node('c'), node('c')],
    connections: [line('c', 'd'), line('c', 'c'), { ...line('mail', 'c'), id: 'c-c' }],
  })
  assert.equal(answer.status, 400)
  const faults = faultsOf(answer)
  assert.equal(faults.length, 6, faults.join('\n'))
  assert.match(faults[0]!, /^nodes\[0\]\.id: "a b" must be 1 to 64 letters/)
  assert.match(faults[1]!, /^nodes\[3\]\.id: "c" is the id of nodes\[2\] too$/)
  assert.match(
    faults[2]!,
    /^nodes\[1\]\.type: of the node "mail" must be one of email_event, .*code; it was "send_mail"$/,
  )
  assert.match(faults[3]!, /^connections\[2\]\.id: "c-c" is the id of connections\[1\] too$/)
  assert.match(faults[4]!, /^connections\[0\]\.target: "d" is not the id of a node$/)
  assert.match(faults[5]!, /^connections\[1\]: leads from the node "c" to itself$/)
})

test('a change of nodes checks the connections that stay', async () => {
  const { body } = await draw(team, { nodes: [node('a'), node('b')], connections: [line('a', 'b')] })
  const answer = await team.api.patch(`/v1/workflows/${body.id}`, { nodes: [node('a')] })
  assert.deepEqual(faultsOf(answer), ['connections[0].target: "b" is not the id of a node'])
})

test('at most 200 nodes and 1,000 connections are saved', async () => {
  const nodes = Array.from({ length: 200 }, (_, n) => node(`n${n}`))
  const connections = nodes.flatMap(({ id }, n) => [1, 2, 3, 4, 5].map((step) => line(id, nodes[(n + step) % 200]!.id)))
  const saved = await draw(team, { nodes, connections })
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.body.connections.length, 1000)
  const answer = await draw(team, { nodes, connections: [...connections, line('n0', 'n100')] })
  assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'connections'])
})

test('both branches may lead to the same node', async () => {
  const saved = await draw(team, {
    nodes: [node('a', 'condition'), node('b')],
    connections: [line('a', 'b', 'true'), line('a', 'b', 'false')],
  })
  assert.equal(saved.status, 200, saved.text)
})

test('names of JavaScript’s own members, such as constructor, are valid ids', async () => {
  const nodes = [node('__proto__', 'manual'), node('constructor'), node('toString')]
  const connections = [line('__proto__', 'constructor'), line('constructor', 'toString')]
  const saved = await draw(team, { nodes, connections })
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual([saved.body.nodes, saved.body.connections], [nodes, connections])
  const active = await team.api.post(`/v1/workflows/${saved.body.id}/activate`)
  assert.equal(active.body.status, 'active')
})

test('a draft may have every fault that only activation refuses', async () => {
  const saved = await draw(team, {
    nodes: [node('a', 'manual'), node('b', 'schedule', { cron: 'never' }), node('c', 'send_email', {})],
    connections: [line('a', 'b', 'true'), line('b', 'c'), line('c', 'a')],
  })
  assert.equal(saved.status, 200, saved.text)
})
