import type { FieldError } from '../../platform/errors.ts'
import { nodeTypeOf, nodeTypes } from '../nodes/registry.ts'
import type { Graph, GraphNode } from './graph.ts'
import { findKnots, findReachable } from './knots.ts'

/** Finds every fault of nodes and connections that keeps a graph from running. No fault hides another. */
export function fitnessFaults(graph: Graph): FieldError[] {
  const triggers = triggersOf(graph)
  return [
    ...triggerFaults(graph, triggers),
    ...connectionFaults(graph, triggers),
    ...knotFaults(graph),
    ...reachFaults(graph, triggers),
  ]
}

function triggersOf<Node extends Pick<GraphNode, 'type'>>({ nodes }: { nodes: Node[] }): Node[] {
  return nodes.filter(({ type }) => nodeTypeOf(type)?.kind === 'trigger')
}

/** Tells whether the workflow is started by its URL: its only trigger is `webhook_received`. */
export function hasTriggerUrl(graph: { nodes: Pick<GraphNode, 'type'>[] }): boolean {
  const triggers = triggersOf(graph)
  return triggers.length === 1 && triggers[0]!.type === 'webhook_received'
}

function triggerFaults({ nodes }: Graph, triggers: GraphNode[]): FieldError[] {
  if (triggers.length === 1) return []
  if (triggers.length > 1) {
    return [
      { path: 'nodes', message: `hold ${triggers.length} triggers, ${list(triggers.map(({ id }) => id))}: leave one` },
    ]
  }
  const types = nodeTypes.filter(({ kind }) => kind === 'trigger').map(({ type }) => type)
  const what = nodes.length === 0 ? 'are empty' : 'hold no trigger'
  return [{ path: 'nodes', message: `${what}: begin with one of ${types.join(', ')}` }]
}

function* connectionFaults({ nodes, connections }: Graph, triggers: GraphNode[]): Generator<FieldError> {
  const triggerIds = new Set(triggers.map(({ id }) => id))
  const branching = new Set(nodes.filter(({ type }) => decides(type)).map(({ id }) => id))
  for (const [index, { source, target, branch }] of connections.entries()) {
    const at = `connections[${index}]`
    if (triggerIds.has(target)) {
      yield { path: `${at}.target`, message: `is the trigger "${target}", which nothing can lead to` }
    }
    if (branching.has(source) && branch === null) {
      yield { path: `${at}.branch`, message: `must be "true" or "false": it comes from "${source}", which decides` }
    }
    if (!branching.has(source) && branch !== null) {
      yield { path: `${at}.branch`, message: `must be null: it comes from "${source}", which has no branches` }
    }
  }
}

function decides(type: string): boolean {
  const nodeType = nodeTypeOf(type)
  return nodeType?.kind === 'action' && nodeType.branches === true
}

function knotFaults(graph: Graph): FieldError[] {
  return findKnots(graph).map((knot) => ({
    path: 'connections',
    message: `lead in a cycle through ${list(knot)}: take one out`,
  }))
}

/** Finds nodes that no path reaches. Without a trigger there is another fault already. */
function reachFaults(graph: Graph, triggers: GraphNode[]): FieldError[] {
  if (triggers.length === 0) return []
  const ids = triggers.map(({ id }) => id)
  const reached = findReachable(graph, ids)
  return graph.nodes.flatMap(({ id }, index) =>
    reached.has(id)
      ? []
      : [{ path: `nodes[${index}]`, message: `"${id}" cannot be reached from the trigger: connect it` }],
  )
}

function list(ids: string[]): string {
  return ids.map((id) => `"${id}"`).join(', ')
}
