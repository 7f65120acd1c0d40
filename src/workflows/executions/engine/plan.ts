import type { Connection, Graph, GraphNode } from '../../graph/graph.ts'

export type PlannedNode = GraphNode & {
  incoming: Connection[]
  /** All on the ways that lead here: what this node knows the outputs of, whenever it runs. */
  before: Set<string>
}

/** A graph ready to be run. */
export type Plan = {
  /** The trigger, which is complete from the start; by the rules of activation there is one. */
  roots: Set<string>
  /** The others, each after those it follows. */
  nodes: PlannedNode[]
  byId: Map<string, PlannedNode>
}

/** Kahn's algorithm. What stands on a cycle, which activation refuses, is left out and stays pending. */
export function planGraph({ nodes, connections }: Graph): Plan {
  const byId = new Map(
    nodes.map((node): [string, PlannedNode] => [node.id, { ...node, incoming: [], before: new Set() }]),
  )
  const outgoing = Map.groupBy(connections, ({ source }) => source)
  for (const connection of connections) byId.get(connection.target)!.incoming.push(connection)
  const open = new Map([...byId.values()].map(({ id, incoming }) => [id, incoming.length]))
  const ordered = [...byId.values()].filter(({ incoming }) => incoming.length === 0)
  for (const { id, before } of ordered) {
    for (const { target } of outgoing.get(id) ?? []) {
      const known = byId.get(target)!.before.add(id)
      for (const earlier of before) known.add(earlier)
      open.set(target, open.get(target)! - 1)
      if (open.get(target) === 0) ordered.push(byId.get(target)!)
    }
  }
  const roots = new Set(ordered.flatMap(({ id, incoming }) => (incoming.length === 0 ? id : [])))
  return { roots, nodes: ordered.filter(({ id }) => !roots.has(id)), byId }
}
