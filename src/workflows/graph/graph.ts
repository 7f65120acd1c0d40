/** A workflow as its author drew it. Ids are the author's, unique in the graph. */
export type GraphNode = {
  id: string
  type: string
  name: string
  config: Record<string, unknown>
  position: { x: number; y: number }
}

/** `branch` names the path of a condition that leads here; null on every other node. */
export type Connection = { id: string; source: string; target: string; branch: 'true' | 'false' | null }

export type Graph = { nodes: GraphNode[]; connections: Connection[] }

export const nodesMax = 200
/** Every node to five others; a graph drawn by people stays far below. */
export const connectionsMax = 1000
