import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../../../../test/for-all.ts'
import { propertyTest } from '../../../../../test/slow.ts'
import type { Connection, GraphNode } from '../../../graph/graph.ts'
import type { Taken } from '../../../table.ts'
import { decide, type NodeState } from './decide.ts'
import { type Plan, planGraph } from './plan.ts'

/**
 * A graph without cycles whose nodes are all reachable from the first, and the path that each takes when it is
 * complete.
 */
const scene = fc
  .array(fc.record({ taken: fc.constantFrom<Taken>(null, null, 'true', 'false', 'none'), links: fc.nat(0xffff) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((drawn) => {
    const nodes = ['t', ...drawn.map((_, index) => `n${index}`)].map((id) => nodeOf(id))
    const taken = new Map(drawn.map(({ taken }, index) => [`n${index}`, taken]))
    const connections: Connection[] = []
    drawn.forEach(({ links }, index) => {
      const sources = nodes.slice(0, index + 1).filter((_, bit) => links & (1 << bit))
      for (const { id: source } of sources.length > 0 ? sources : [nodes[0]!]) {
        const conditional = taken.get(source) === 'true' || taken.get(source) === 'false'
        const branch = conditional ? (links & 0x8000 ? 'true' : 'false') : null
        connections.push({ id: `${source}-n${index}`, source, target: `n${index}`, branch })
      }
    })
    return { plan: planGraph({ nodes, connections }, () => undefined), connections, taken }
  })

function nodeOf(id: string): GraphNode {
  return { id, type: 'any', name: id, config: {}, position: { x: 0, y: 0 } }
}

/**
 * Runs a graph, finishing nodes in the order that `picks` draws. Returns the final states and the order of beginnings.
 */
function play(plan: Plan, taken: Map<string, Taken>, picks: number[], failing: Set<string> = new Set()) {
  const states = new Map<string, NodeState>()
  const order: string[] = []
  for (let turn = 0; turn < 1000; turn++) {
    const { ready, skipped, over } = decide(plan, states)
    for (const id of skipped) states.set(id, { status: 'skipped', branch: null })
    if (over) return { states, order, over }
    for (const id of ready) {
      assert(!states.has(id), `${id} began twice`)
      states.set(id, { status: 'running', branch: null })
      order.push(id)
    }
    const running = [...states].flatMap(([id, { status }]) => (status === 'running' ? id : []))
    assert(running.length > 0, 'nothing runs, and it is not over')
    const id = running[picks[turn % picks.length]! % running.length]!
    states.set(id, { status: failing.has(id) ? 'failed' : 'completed', branch: taken.get(id)! })
  }
  throw new Error('It does not come to an end.')
}

const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 })

propertyTest('each node runs at most once, and the order in which nodes complete does not change the end', () => {
  forAll({ always: 100 }, scene, picks, picks, ({ plan, taken }, first, second) => {
    const [one, other] = [play(plan, taken, first), play(plan, taken, second)]
    assert.equal(one.over, 'completed')
    assert.deepEqual(sorted(one.states), sorted(other.states))
    assert.equal(new Set(one.order).size, one.order.length)
    assert.equal(one.states.size, plan.nodes.length, 'none is left pending')
  })
})

propertyTest('a node runs exactly when a path to it was taken, after all that lead to it', () => {
  forAll({ always: 100 }, scene, picks, ({ plan, connections, taken }, drawn) => {
    const { states, order } = play(plan, taken, drawn)
    const ran = (id: string) => id === 't' || order.includes(id)
    for (const { id } of plan.nodes) {
      const incoming = connections.filter(({ target }) => target === id)
      const isTaken = incoming.some(({ source, branch }) => {
        const its = taken.get(source) ?? null
        return ran(source) && (its === null || its === branch)
      })
      assert.equal(ran(id), isTaken, id)
      assert.equal(states.get(id)?.status, isTaken ? 'completed' : 'skipped')
      for (const { source } of isTaken ? incoming : []) {
        if (source !== 't' && ran(source)) assert(order.indexOf(source) < order.indexOf(id), `${source} before ${id}`)
      }
    }
  })
})

propertyTest('after a failure no node begins, running nodes complete, and the execution fails', () => {
  forAll({ always: 100 }, scene, picks, fc.nat(11), ({ plan, taken }, drawn, index) => {
    const failing = `n${index}`
    const { states, order, over } = play(plan, taken, drawn, new Set([failing]))
    if (!order.includes(failing)) return assert.equal(over, 'completed')
    assert.equal(over, 'failed')
    for (const { status } of states.values()) assert(['completed', 'failed', 'skipped'].includes(status), status)
  })
})

test('waiting nodes do not delay the end of an execution that failed', () => {
  const nodes = ['t', 'a', 'b', 'c'].map(nodeOf)
  const connections = ['t>a', 't>b', 'b>c'].map((path) => {
    const [source = '', target = ''] = path.split('>')
    return { id: path, source, target, branch: null }
  })
  const plan = planGraph({ nodes, connections }, () => undefined)
  const states = new Map<string, NodeState>([
    ['a', { status: 'failed', branch: null }],
    ['b', { status: 'completed', branch: null }],
  ])
  assert.deepEqual(decide(plan, states), { ready: [], skipped: [], over: 'failed' })
  states.set('b', { status: 'waiting', branch: null })
  assert.equal(decide(plan, states).over, 'failed')
  states.set('b', { status: 'running', branch: null })
  assert.equal(decide(plan, states).over, null)
})

function sorted(states: Map<string, NodeState>) {
  return [...states].sort(([left], [right]) => (left < right ? -1 : 1))
}
