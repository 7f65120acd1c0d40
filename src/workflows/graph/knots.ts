import type { Connection, Graph } from './graph.ts'

/**
 * The cycles of a graph: each largest set of nodes that all lead to each other, in the order of the nodes. Tarjan's
 * algorithm, in one walk over nodes and connections; it descends as deep as there are nodes, 200 at most.
 */
export function findKnots(graph: Graph): string[][] {
  const { nodes } = graph
  const outgoing = outgoingOf(graph)
  const order = new Map(nodes.map(({ id }, index) => [id, index]))
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const open = new Set<string>()
  const knots: string[][] = []

  function visit(id: string): number {
    const number = numbers.size
    let low = number
    numbers.set(id, number)
    stack.push(id)
    open.add(id)
    for (const { target } of outgoing.get(id) ?? []) {
      if (!numbers.has(target)) low = Math.min(low, visit(target))
      else if (open.has(target)) low = Math.min(low, numbers.get(target)!)
    }
    if (low === number) close(id)
    return low
  }

  function close(id: string): void {
    const knot = stack.splice(stack.lastIndexOf(id))
    for (const member of knot) open.delete(member)
    if (knot.length > 1) knots.push(knot.sort((one, other) => order.get(one)! - order.get(other)!))
  }

  for (const { id } of nodes) if (!numbers.has(id)) visit(id)
  return knots.sort((one, other) => order.get(one[0]!)! - order.get(other[0]!)!)
}

/** All nodes that can be reached from these nodes, including themselves. */
export function findReachable(graph: Graph, from: string[]): Set<string> {
  const outgoing = outgoingOf(graph)
  const reached = new Set(from)
  // A set that grows while it is walked: each node comes once.
  for (const id of reached) for (const { target } of outgoing.get(id) ?? []) reached.add(target)
  return reached
}

function outgoingOf({ connections }: Graph): Map<string, Connection[]> {
  return Map.groupBy(connections, ({ source }) => source)
}
