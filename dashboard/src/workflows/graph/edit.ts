import type { StepType } from '../workflow.ts'
import { ancestorsOf, type Branch, type Connection, type Graph, type Place, type Step } from './graph.ts'

const rowPx = 110
const columnPx = 260

type New = Pick<StepType, 'type' | 'kind' | 'title' | 'branches'>

/**
 * Adds a step after another, between it and the one that followed. A trigger leads to all steps that nothing leads to.
 */
export function addStep(graph: Graph, type: New, after: Place | null): { graph: Graph; id: string } {
  const id = freshId(type.type, new Set(graph.nodes.map((step) => step.id)))
  const step: Step = { id, type: type.type, name: type.title, config: {}, position: { x: 0, y: 0 } }
  if (type.kind === 'trigger') return { graph: addFirst(graph, step), id }
  return { graph: insert(graph, step, after, type.branches.length > 0), id }
}

function addFirst({ nodes, connections }: Graph, step: Step): Graph {
  const targets = new Set(connections.map(({ target }) => target))
  const roots = nodes.filter(({ id }) => !targets.has(id))
  const first = roots.reduce<Graph>((graph, root) => connect(graph, { id: step.id, branch: null }, root.id), {
    nodes: [{ ...step, position: freePlace(nodes, { x: roots[0]?.position.x ?? 0, y: topOf(nodes) }) }, ...nodes],
    connections,
  })
  return first
}

function topOf(nodes: Step[]): number {
  return nodes.length === 0 ? 0 : Math.min(...nodes.map(({ position }) => position.y)) - rowPx
}

function insert(graph: Graph, step: Step, after: Place | null, hasBranches: boolean): Graph {
  const source = after && graph.nodes.find(({ id }) => id === after.id)
  if (!after || !source) {
    const y = Math.max(...graph.nodes.map(({ position }) => position.y + rowPx), 0)
    return { ...graph, nodes: [...graph.nodes, { ...step, position: { x: 0, y } }] }
  }
  const followers = graph.connections.filter(({ source: id, branch }) => id === after.id && branch === after.branch)
  // Where several paths begin side by side, the new step begins another.
  const taken = followers.length === 1 ? followers[0] : undefined
  const x = source.position.x + (after.branch === 'false' ? columnPx : 0)
  const goal = { x, y: source.position.y + rowPx }
  const pushed = taken ? graph.nodes.map((one) => (one.position.y >= goal.y ? moved(one, rowPx) : one)) : graph.nodes
  const connections = graph.connections.filter((one) => one !== taken)
  const at = graph.nodes.indexOf(source) + 1
  const position = taken ? goal : freePlace(pushed, goal)
  const nodes = pushed.toSpliced(at, 0, { ...step, position })
  const joined = connect({ nodes, connections }, after, step.id)
  return taken ? connect(joined, { id: step.id, branch: hasBranches ? 'true' : null }, taken.target) : joined
}

function moved(step: Step, by: number): Step {
  return { ...step, position: { ...step.position, y: step.position.y + by } }
}

function freePlace(nodes: Step[], goal: Step['position']): Step['position'] {
  const isTaken = ({ position: { x, y } }: Step) => Math.abs(x - goal.x) < columnPx / 2 && Math.abs(y - goal.y) < 60
  return nodes.some(isTaken) ? freePlace(nodes, { ...goal, x: goal.x + columnPx }) : goal
}

/** Removes a step. What led to it leads to what followed. */
export function removeStep({ nodes, connections }: Graph, id: string): Graph {
  const incoming = connections.filter(({ target }) => target === id)
  const outgoing = connections.filter(({ source }) => source === id)
  const rest: Graph = {
    nodes: nodes.filter((step) => step.id !== id),
    connections: connections.filter(({ source, target }) => source !== id && target !== id),
  }
  return incoming.reduce(
    (graph, { source, branch }) =>
      outgoing.reduce((now, out) => connect(now, { id: source, branch }, out.target), graph),
    rest,
  )
}

/** Moves a step to another place in the order. Its settings stay. */
export function moveStep(graph: Graph, id: string, after: Place, hasBranches: boolean): Graph {
  const step = graph.nodes.find((one) => one.id === id)
  if (!step || after.id === id) return graph
  return insert(removeStep(graph, id), step, after, hasBranches)
}

/** Joins two steps. Returns the graph as it is if they are joined so already. */
export function connect(graph: Graph, from: Place, target: string): Graph {
  const { id: source, branch } = from
  const isThere = graph.connections.some(
    (one) => one.source === source && one.target === target && one.branch === branch,
  )
  if (isThere || source === target) return graph
  const id = freshId('c1', new Set(graph.connections.map((one) => one.id)))
  return { ...graph, connections: [...graph.connections, { id, source, target, branch }] }
}

export function disconnect(graph: Graph, connection: Connection): Graph {
  return { ...graph, connections: graph.connections.filter(({ id }) => id !== connection.id) }
}

/** Returns the steps that a step may lead to on a branch without making a circle. */
export function possibleTargets(graph: Graph, from: Place, isTrigger: (step: Step) => boolean): Step[] {
  const before = ancestorsOf(graph, from.id)
  const joined = new Set(
    graph.connections.flatMap(({ source, target, branch }) =>
      source === from.id && branch === from.branch ? [target] : [],
    ),
  )
  return graph.nodes.filter(
    (step) => step.id !== from.id && !before.has(step.id) && !joined.has(step.id) && !isTrigger(step),
  )
}

export function changeStep(
  graph: Graph,
  id: string,
  changes: Partial<Pick<Step, 'name' | 'config' | 'position'>>,
): Graph {
  return { ...graph, nodes: graph.nodes.map((step) => (step.id === id ? { ...step, ...changes } : step)) }
}

/** The branches of a step of this type: `[null]` if it has none. */
export function branchesOf(type: { branches: Branch[] } | undefined): (Branch | null)[] {
  return type && type.branches.length > 0 ? type.branches : [null]
}

/** `send_email`, then `send_email_2`; `c1`, then `c2`. */
function freshId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  const base = /^c\d+$/.test(wanted) ? 'c' : `${wanted}_`
  let number = 2
  while (taken.has(`${base}${number}`)) number++
  return `${base}${number}`
}
