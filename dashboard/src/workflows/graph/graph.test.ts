import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingFaults } from '../faults.ts'
import { offersFor, typedAfterBraces } from '../settings/offers.ts'
import type { StepType } from '../workflow.ts'
import { addStep, moveStep, possibleTargets, removeStep } from './edit.ts'
import type { Branch, Graph } from './graph.ts'
import { isSameGraph } from './graph.ts'
import { beginHistory, changeHistory } from './history.ts'
import { stepOptions } from './names.ts'
import { outlineOf } from './outline.ts'

const type = (name: string, kind: 'trigger' | 'action' = 'action', branches: Branch[] = []): StepType => ({
  type: name,
  kind,
  title: name,
  description: '',
  configSchema: {},
  outputSchema: {},
  branches,
  restricted: false,
})

function graphOf(...lines: string[]): Graph {
  const connections = lines.map((line, index) => {
    const [source = '', target = '', branch] = line.split(' ')
    return { id: `c${index + 1}`, source, target, branch: (branch as Branch) ?? null }
  })
  const ids = [...new Set(connections.flatMap(({ source, target }) => [source, target]))]
  return { nodes: ids.map((id) => ({ id, type: id, name: id, config: {}, position: { x: 0, y: 0 } })), connections }
}

const wires = ({ connections }: Graph) =>
  connections.map(({ source, target, branch }) => [source, target, branch].filter(Boolean).join(' ')).sort()
const outline = (graph: Graph) => outlineOf(graph).map(({ step, depth }) => `${depth} ${step.id}`)

test('an outline follows each path, and comes to a step where paths meet after all of them', () => {
  assert.deepEqual(outline(graphOf('a b', 'b c true', 'b d false', 'c e', 'd e')), ['0 a', '0 b', '1 c', '1 d', '0 e'])
})

test('an outline shows every step of a circle once', () => {
  assert.deepEqual(outline(graphOf('a b', 'b c', 'c b')).length, 3)
})

test('a step is added between another and the one that followed', () => {
  const { graph, id } = addStep(graphOf('a b'), type('delay'), { id: 'a', branch: null })
  assert.equal(id, 'delay')
  assert.deepEqual(wires(graph), ['a delay', 'delay b'])
  const again = addStep(graph, type('delay'), { id: 'a', branch: null })
  assert.equal(again.id, 'delay_2')
})

test('a condition that is added leads on from its path true', () => {
  const { graph } = addStep(graphOf('a b'), type('if', 'action', ['true', 'false']), { id: 'a', branch: null })
  assert.deepEqual(wires(graph), ['a if', 'if b true'])
})

test('a trigger that is added leads to all steps that nothing leads to', () => {
  const { graph } = addStep(graphOf('a b', 'c b'), type('start', 'trigger'), null)
  assert.deepEqual(wires(graph), ['a b', 'c b', 'start a', 'start c'])
  assert.equal(graph.nodes[0]?.id, 'start')
})

test('a step that is removed or moved leaves the others joined', () => {
  const graph = graphOf('a b', 'b c', 'c d')
  assert.deepEqual(wires(removeStep(graph, 'b')), ['a c', 'c d'])
  assert.deepEqual(wires(moveStep(graph, 'b', { id: 'c', branch: null }, false)), ['a c', 'b d', 'c b'])
})

test('a step is not offered as a target that would close a circle', () => {
  const targets = possibleTargets(graphOf('a b', 'b c'), { id: 'b', branch: null }, ({ id }) => id === 'a')
  assert.deepEqual(targets, [])
})

test('typing into one field is undone in one step, and redone', () => {
  const first = graphOf('a b')
  const rename = (name: string) => ({
    do: 'change' as const,
    kind: 'name a',
    to: (graph: Graph) => ({ ...graph, nodes: graph.nodes.map((step) => ({ ...step, name })) }),
  })
  const typed = changeHistory(changeHistory(beginHistory(first), rename('x')), rename('xy'))
  const undone = changeHistory(typed, { do: 'undo' })
  assert.deepEqual(undone.now.nodes, first.nodes)
  assert.equal(changeHistory(undone, { do: 'redo' }).now.nodes[0]?.name, 'xy')
})

test('graphs are the same whatever the order of members in configs', () => {
  const [one, other] = [graphOf('a b'), graphOf('a b')]
  one.nodes[0]!.config = { x: 1, y: { p: 1, q: 2 } }
  other.nodes[0]!.config = { y: { q: 2, p: 1 }, x: 1 }
  assert.ok(isSameGraph(one, other))
  other.nodes[0]!.config = { x: 2 }
  assert.ok(!isSameGraph(one, other))
})

test('a fault stands until its field or the connections are changed', () => {
  const graph = graphOf('a b')
  const fault = { nodeId: 'b', path: 'nodes[1].config.to[0]', message: 'is bad (node "b")' }
  const whole = { nodeId: null, path: 'connections', message: 'make a circle' }
  const checked = { graph, faults: [fault, whole] }
  assert.deepEqual(
    standingFaults(checked, graph).map(({ message }) => message),
    ['is bad', 'make a circle'],
  )
  const edited = { ...graph, nodes: graph.nodes.with(1, { ...graph.nodes[1]!, config: { to: ['x'] } }) }
  assert.deepEqual(
    standingFaults(checked, edited).map(({ message }) => message),
    ['make a circle'],
  )
  assert.deepEqual(
    standingFaults(checked, { ...graph, connections: [] }).map(({ message }) => message),
    ['is bad'],
  )
})

test('a step is offered the values of the steps before it alone', () => {
  const text = { type: 'string' }
  const list: StepType[] = [
    { ...type('schedule', 'trigger'), outputSchema: { type: 'object', properties: { scheduledAt: text } } },
    {
      ...type('http_request'),
      outputSchema: { type: 'object', properties: { body: text, headers: { type: 'object' } } },
    },
    type('send_email'),
  ]
  const types = new Map(list.map((one) => [one.type, one]))
  const graph = graphOf('schedule http_request', 'http_request send_email')
  const paths = offersFor(graph, 'http_request', types).map(({ path }) => path)
  assert.deepEqual(paths, ['trigger.scheduledAt', 'vars.'])
  const after = offersFor(graph, 'send_email', types).map(({ path }) => path)
  assert.deepEqual(after, ['trigger.scheduledAt', 'node_http_request.body', 'node_http_request.headers.', 'vars.'])
})

test('offers begin after two open braces and end with the closing ones', () => {
  assert.equal(typedAfterBraces('Hello {{tri'), 'tri')
  assert.equal(typedAfterBraces('Hello {{trigger.x}} there'), undefined)
})

test('steps to choose from are told apart by their ids where they have the same name', () => {
  const types = new Map([['delay', { ...type('delay'), title: 'Delay' }]])
  const step = (id: string, name: string) => ({ id, type: 'delay', name, config: {}, position: { x: 0, y: 0 } })
  const nodes = [step('delay', 'Delay'), step('delay_2', ' '), step('delay_3', 'A day'), step('delay_4', 'Delay')]
  const options = stepOptions(nodes.slice(0, 3), { nodes, connections: [] }, types)
  assert.deepEqual(
    options.map(({ label }) => label),
    ['Delay (delay)', 'Delay (delay_2)', 'A day'],
  )
})
