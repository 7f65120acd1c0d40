import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Graph } from '../graph/graph.ts'
import { inColumn, tidy } from './layout.ts'

/** `a>b` leads from a to b. */
function graphOf(ids: string[], ways: string[]): Graph {
  const nodes = ids.map((id) => ({ id, type: 'delay', name: id, config: {}, position: { x: 5, y: 5 } }))
  const connections = ways.map((way) => {
    const [source = '', target = ''] = way.split('>')
    return { id: way, source, target, branch: null }
  })
  return { nodes, connections }
}

const placesOf = ({ nodes }: Graph) => nodes.map(({ id, position: { x, y } }) => `${id} ${x} ${y}`)

test('steps that follow one after the other are placed in a column, whatever their order in the list', async () => {
  const graph = graphOf(['c', 'a', 'b'], ['b>c', 'a>b'])
  assert.deepEqual(placesOf(await tidy(graph)), ['c 0 232', 'a 0 0', 'b 0 116'])
})

test('steps whose paths part, join or end alone are placed in rows', async () => {
  const parted = graphOf(['a', 'b', 'c', 'd'], ['a>b', 'a>c', 'b>d', 'c>d'])
  assert.deepEqual(placesOf(await tidy(parted)), ['a 124 0', 'b 0 116', 'c 248 116', 'd 124 232'])
  for (const graph of [parted, graphOf(['a', 'b', 'c'], ['a>b']), graphOf(['a', 'b'], ['a>b', 'b>a'])]) {
    assert.equal(inColumn(graph), null)
  }
})
