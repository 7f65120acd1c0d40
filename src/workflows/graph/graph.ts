/** A node of a workflow. The author chooses the id, which is unique in the graph. */
export type GraphNode = {
  id: string
  type: string
  name: string
  config: Record<string, unknown>
  position: { x: number; y: number }
}

/** `branch` names the path of a condition; null from every other node. */
export type Connection = { id: string; source: string; target: string; branch: 'true' | 'false' | null }

export type Graph = { nodes: GraphNode[]; connections: Connection[] }

/** The longest name of a workflow or a node. */
export const nameMax = 200
export const nodesMax = 200
/** Five for each node; graphs that people draw have far fewer. */
export const connectionsMax = 1000
