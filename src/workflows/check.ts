import type { App } from '../context.ts'
import { readConfigs } from './graph/config-faults.ts'
import { graphFaults } from './graph/faults.ts'
import type { Graph } from './graph/graph.ts'
import { findReadGraph } from './queries.ts'

type WorkflowFault = {
  /** The node that the fault is shown at; null if it concerns the graph as a whole. */
  nodeId: string | null
  path: string
  message: string
}

/**
 * Returns every fault that activation would name, and changes nothing. In test mode, a live workflow is checked as for
 * the live team. Throws `notFound`.
 */
export async function checkWorkflow(app: App, teamId: string, id: string): Promise<{ faults: WorkflowFault[] }> {
  const graph = await findReadGraph(app, teamId, id)
  const faults = await graphFaults(app.db, graph.teamId, graph, await readConfigs(graph))
  return { faults: faults.map(({ path, message }) => ({ nodeId: nodeOf(graph, path), path, message })) }
}

/** A fault of a connection is shown at its target if it is about that, and otherwise at its source. */
function nodeOf({ nodes, connections }: Graph, path: string): string | null {
  const [, list, index, field] = /^(nodes|connections)\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
  if (list === undefined) return null
  if (list === 'nodes') return nodes[Number(index)]?.id ?? null
  const connection = connections[Number(index)]
  return (field === 'target' ? connection?.target : connection?.source) ?? null
}
