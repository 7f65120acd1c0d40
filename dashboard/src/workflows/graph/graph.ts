import type { Answer } from '../../api/request.ts'

/** The graph of a workflow, or that of an execution. */
export type Graph = Answer<'/v1/workflows/:id/executions/:exec_id/graph'>
export type Step = Graph['nodes'][number]
export type Config = Step['config']
export type Connection = Graph['connections'][number]
export type Branch = NonNullable<Connection['branch']>

/** Where a step is put: after this step, on one of its branches if it has them. */
export type Place = { id: string; branch: Branch | null }

export function stepOf({ nodes }: Graph, id: string | undefined): Step | undefined {
  return nodes.find((step) => step.id === id)
}

/** Returns the ids of all steps that run before a step. */
export function ancestorsOf({ connections }: Graph, id: string): Set<string> {
  const found = new Set<string>()
  const waiting = [id]
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    for (const { source } of connections.filter((one) => one.target === target)) {
      if (found.has(source)) continue
      found.add(source)
      waiting.push(source)
    }
  }
  return found
}

/** Tells whether two graphs are the same, in whatever order the members of their configs are. */
export function isSameGraph(one: Graph, other: Graph): boolean {
  return canonical(one.nodes) === canonical(other.nodes) && canonical(one.connections) === canonical(other.connections)
}

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
