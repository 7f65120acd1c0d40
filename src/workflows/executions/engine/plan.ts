import type { Connection, Graph, GraphNode } from '../../graph/graph.ts'

export type PlannedNode = GraphNode & {
  incoming: Connection[]
  /** Names of its context, whenever it runs: what all know, and the outputs of the nodes on the ways that lead here. */
  knows: Set<string>
}

/** A graph ready to be run. */
export type Plan = {
  /** The trigger, which is complete from the start; by the rules of activation there is one. */
  roots: Set<string>
  /** Its names in a context. */
  triggers: Set<string>
  /** The others, each after those it follows. */
  nodes: PlannedNode[]
  byId: Map<string, PlannedNode>
}

/** Kahn's algorithm. What stands on a cycle, which activation refuses, is left out and stays pending. */
export function planGraph({ nodes, connections }: Graph): Plan {
  const byId = new Map(
    nodes.map((node): [string, PlannedNode] => [
      node.id,
      { ...node, incoming: [], knows: new Set(['trigger', 'vars']) },
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
