import type { Keyring } from '../../platform/keys/keyring.ts'
import type { SealedColumn } from '../../platform/sealed/column.ts'
import type { Secret } from '../nodes/node.ts'
import { nodeTypeOf } from '../nodes/registry.ts'
import type { GraphNode } from './graph.ts'

const purpose = 'workflow-graph'
export const sealedColumns: SealedColumn[] = [{ table: 'workflow_graphs', column: 'secrets', purpose }]

/** Finds the secret that a type of nodes declares; undefined for a type without one. */
export function secretOf(type: string): Secret | undefined {
  const node = nodeTypeOf(type)
  return node?.kind === 'action' ? node.secret : undefined
}

/**
 * The nodes of a graph as a row has them. `secrets` is null for a graph without any, and for one from before they were
 * sealed.
 */
export type StoredNodes = { id: string; nodes: GraphNode[]; secrets: string | null }

/** Takes the secrets out of the nodes and encrypts them. They open only for the graph with this id. */
export function sealSecrets(keyring: Keyring, id: string, nodes: GraphNode[]): StoredNodes {
  const secrets: Record<string, unknown> = {}
  const stored = nodes.map((node) => {
    const field = secretOf(node.type)?.field
    if (field === undefined || node.config[field] === undefined) return node
    const { [field]: secret, ...config } = node.config
    secrets[node.id] = secret
    return { ...node, config }
  })
  const hasSome = Object.keys(secrets).length > 0
  return { id, nodes: stored, secrets: hasSome ? keyring.encrypt(purpose, JSON.stringify(secrets), id) : null }
}

/** Puts the secrets back into the nodes. */
export function openSecrets(keyring: Keyring, { id, nodes, secrets: sealed }: StoredNodes): GraphNode[] {
  if (sealed === null) return nodes
  const secrets: Record<string, unknown> = JSON.parse(keyring.decrypt(purpose, sealed, id))
  return nodes.map((node) => {
    const field = secretOf(node.type)?.field
    if (field === undefined || !Object.hasOwn(secrets, node.id)) return node
    return { ...node, config: { ...node.config, [field]: secrets[node.id] } }
  })
}
