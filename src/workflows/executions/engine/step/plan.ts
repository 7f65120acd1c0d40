import type { Connection, Graph, GraphNode } from '../../../graph/graph.ts'
import type { NodeType } from '../../../nodes/node.ts'

type PlannedNode = GraphNode & {
  /** Undefined if no such type exists any more. */
  nodeType: NodeType | undefined
  incoming: Connection[]
  /** The names in its context: the trigger, the variables, and the nodes on the paths that lead here. */
  knows: Set<string>
}

/** A graph ready to be run. */
export type Plan = {
  /** The trigger, which is complete from the start. Activation ensures that there is one. */
  roots: Set<string>
  /** The trigger's names in a context. */
  triggers: Set<string>
  /** The other nodes, each after those that lead to it. */
  nodes: PlannedNode[]
  byId: Map<string, PlannedNode>
}

/** Sorts a graph with Kahn's algorithm. Nodes on a cycle, which activation refuses, are left out and stay pending. */
export function planGraph({ nodes, connections }: Graph, typeOf: (type: string) => NodeType | undefined): Plan {
  const byId = new Map(
    nodes.map((node): [string, PlannedNode] => [
      node.id,
      { ...node, nodeType: typeOf(node.type), incoming: [], knows: new Set(['trigger', 'vars']) },
    ]),
  )
  const outgoing = Map.groupBy(connections, ({ source }) => source)
  for (const connection of connections) byId.get(connection.target)!.incoming.push(connection)
  const open = new Map([...byId.values()].map(({ id, incoming }) => [id, incoming.length]))
  const ordered = [...byId.values()].filter(({ incoming }) => incoming.length === 0)
  for (const { id, knows } of ordered) {
    for (const { target } of outgoing.get(id) ?? []) {
      const known = byId.get(target)!.knows.add(`node_${id}`)
      for (const earlier of knows) known.add(earlier)
      open.set(target, open.get(target)! - 1)
      if (open.get(target) === 0) ordered.push(byId.get(target)!)
    }
  }
  const roots = new Set(ordered.flatMap(({ id, incoming }) => (incoming.length === 0 ? id : [])))
  const triggers = new Set([...roots].map((id) => `node_${id}`))
  return { roots, triggers, nodes: ordered.filter(({ id }) => !roots.has(id)), byId }
}
