import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { connectionsMax, type Graph, nodesMax } from './graph.ts'
import { findKnots, findReachable } from './knots.ts'

function graphOf(size: number, edges: [number, number][]): Graph {
  const nodes = Array.from({ length: size }, (_, n) => {
    return { id: `n${n}`, type: 'filter', name: '', config: {}, position: { x: 0, y: 0 } }
  })
  const connections = edges.map(([from, to], index) => {
    return { id: `c${index}`, source: `n${from}`, target: `n${to}`, branch: null }
  })
  return { nodes, connections }
}

/** Graphs without a connection from a node to itself, which are not saved. */
const graphs = fc
  .record({
    size: fc.integer({ min: 2, max: 8 }),
    edges: fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { maxLength: 20 }),
  })
  .map(({ size, edges }) =>
    graphOf(
      size,
      edges.map(([from, step]) => [from % size, (from + 1 + (step % (size - 1))) % size]),
    ),
  )

/** Finds which nodes lead to which over any number of connections, by trying each node between each pair. */
function leadsOf({ nodes, connections }: Graph): (from: string, to: string) => boolean {
  const leads = new Set(connections.map(({ source, target }) => `${source} ${target}`))
  for (const { id: middle } of nodes)
    for (const { id: from } of nodes)
      for (const { id: to } of nodes)
        if (leads.has(`${from} ${middle}`) && leads.has(`${middle} ${to}`)) leads.add(`${from} ${to}`)
  return (from, to) => leads.has(`${from} ${to}`)
}

propertyTest('a knot is a set of nodes that all lead to each other, and each is found once', () => {
  forAll(2000, graphs, (graph) => {
    const leads = leadsOf(graph)
    const expected: string[][] = []
    for (const { id } of graph.nodes) {
      if (!leads(id, id) || expected.some((knot) => knot.includes(id))) continue
      expected.push(graph.nodes.map((node) => node.id).filter((other) => leads(id, other) && leads(other, id)))
    }
    assert.deepEqual(findKnots(graph), expected)
  })
})

propertyTest('the reachable nodes are those that a path leads to, and the first nodes themselves', () => {
  forAll(1000, graphs, fc.array(fc.nat(7), { maxLength: 3 }), (graph, starts) => {
    const ids = graph.nodes.map(({ id }) => id)
    const from = starts.map((start) => ids[start % ids.length]!)
    const leads = leadsOf(graph)
    const expected = ids.filter((id) => from.some((start) => start === id || leads(start, id)))
    assert.deepEqual([...findReachable(graph, from)].sort(), expected)
  })
})

const [size, fan] = [nodesMax, connectionsMax / nodesMax]
/** Has too many paths from one end to the other to walk each of them. */
const forwards = Array.from({ length: size - fan }, (_, from) =>
  Array.from({ length: fan }, (_, step): [number, number] => [from, from + 1 + step]),
).flat()

test('the largest graph is checked quickly, however many paths it has', () => {
  const graph = graphOf(size, forwards)
  assert.deepEqual(findKnots(graph), [])
  assert.equal(findReachable(graph, ['n0']).size, size)
  const back = Array.from({ length: fan }, (_, step): [number, number] => [size - 1 - step, 0])
  const circle = graphOf(size, [...forwards, ...back])
  assert.deepEqual(findKnots(circle), [circle.nodes.map(({ id }) => id)])
})
