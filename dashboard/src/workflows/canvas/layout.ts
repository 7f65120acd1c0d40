import type { Graph } from '../graph/graph.ts'
import { byBranch } from '../graph/outline.ts'
import { orderByPaths } from './order.ts'

/** The size of a step on the canvas, in pixels. The style sheet has the same. */
export const stepWidth = 208
export const stepHeight = 60
const rowGap = 56

const load = () => import('@dagrejs/dagre')

/** Fetches the library ahead of the canvas if the graph has no places yet. */
export async function prefetchLayout(graph: Graph): Promise<void> {
  if (isUnplaced(graph) && !inColumn(graph)) await load()
}

/**
 * Returns the graph with its steps in rows, from the trigger downwards. The library is loaded when it is first needed.
 */
export async function tidy(graph: Graph): Promise<Graph> {
  return inColumn(graph) ?? inRows(graph)
}

/**
 * Places steps that follow one after the other, as the library would. Null if paths part or join, or steps are not
 * connected.
 */
export function inColumn({ nodes, connections }: Graph): Graph | null {
  const next = new Map(connections.map(({ source, target }) => [source, target]))
  const targets = new Set(next.values())
  const isPath = next.size === connections.length && targets.size === connections.length
  const rowOf = new Map<string | undefined, number>()
  let id = nodes.find((step) => !targets.has(step.id))?.id
  for (; id !== undefined && isPath; id = next.get(id)) rowOf.set(id, rowOf.size)
  if (rowOf.size < nodes.length) return null
  const place = (id: string) => ({ x: 0, y: rowOf.get(id)! * (stepHeight + rowGap) })
  return { nodes: nodes.map((step) => ({ ...step, position: place(step.id) })), connections }
}

async function inRows(graph: Graph): Promise<Graph> {
  const { Graph: Layout, layout } = await load()
  const plan = new Layout()
  // Workflows get the same rows by this ranker as by the usual one, in half the time.
  plan.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: rowGap, ranker: 'tight-tree' })
  plan.setDefaultEdgeLabel(() => ({}))
  for (const { id } of graph.nodes) plan.setNode(id, { width: stepWidth, height: stepHeight })
  for (const { source, target } of graph.connections.toSorted(byBranch)) plan.setEdge(source, target)
  const constraints = sidesOf(graph)
  layout(plan, {
    customOrder(ranked, order) {
      if (!orderByPaths(ranked, constraints)) order(ranked, { constraints })
    },
  })
  const nodes = graph.nodes.map((step) => {
    const { x = 0, y = 0 } = plan.node(step.id)
    return { ...step, position: { x: Math.round(x - stepWidth / 2), y: Math.round(y - stepHeight / 2) } }
  })
  return { ...graph, nodes }
}

/** The path *true* goes on the left, where its handle is. */
function sidesOf({ connections }: Graph): { left: string; right: string }[] {
  const ends = Map.groupBy(connections, ({ source, branch }) => `${source} ${branch}`)
  return connections.flatMap(({ source, target, branch }) => {
    const other = branch === 'true' ? ends.get(`${source} false`) : undefined
    return (other ?? []).flatMap((one) => (one.target === target ? [] : [{ left: target, right: one.target }]))
  })
}

/** Tells whether the steps lie on each other, as in a graph that was drawn through the API without positions. */
export function isUnplaced({ nodes }: Graph): boolean {
  const [first, ...others] = nodes
  return (
    others.length > 0 && others.every(({ position: { x, y } }) => x === first!.position.x && y === first!.position.y)
  )
}
