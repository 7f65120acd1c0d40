import type { Connection, Graph } from './graph.ts'

/**
 * Finds the cycles of a graph with Tarjan's algorithm: each largest set of nodes that all lead to each other, in the
 * order of the nodes. The recursion is as deep as the number of nodes, at most 200.
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

/** Finds all nodes that can be reached from these nodes, including themselves. */
export function findReachable(graph: Graph, from: string[]): Set<string> {
  const outgoing = outgoingOf(graph)
  const reached = new Set(from)
  // The loop also visits nodes that are added to the set meanwhile, each once.
  for (const id of reached) for (const { target } of outgoing.get(id) ?? []) reached.add(target)
  return reached
}

function outgoingOf({ connections }: Graph): Map<string, Connection[]> {
  return Map.groupBy(connections, ({ source }) => source)
}
