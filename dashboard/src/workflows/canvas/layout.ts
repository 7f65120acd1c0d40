import type { Graph } from '../graph/graph.ts'

/** The size of a step on the canvas, in pixels. The style sheet has the same. */
export const stepWidth = 208
export const stepHeight = 60

/** Returns the graph with its steps in rows, from the trigger downwards. The library is loaded when it is first needed. */
export async function tidy(graph: Graph): Promise<Graph> {
  const { Graph: Layout, layout } = await import('@dagrejs/dagre')
  const plan = new Layout()
  plan.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: 56 })
  plan.setDefaultEdgeLabel(() => ({}))
  for (const { id } of graph.nodes) plan.setNode(id, { width: stepWidth, height: stepHeight })
  for (const { source, target } of graph.connections) plan.setEdge(source, target)
  layout(plan, { constraints: sidesOf(graph) })
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
