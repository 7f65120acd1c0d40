import type { Keyring } from '../../platform/keys/keyring.ts'
import { hidden } from '../../platform/network/hide-path.ts'
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

/** Returns the field of a node that holds what callers see in place of its secret, or null. */
export function findHiddenField({
  type,
  config = {},
}: {
  type: string
  config?: Record<string, unknown>
}): string | null {
  const field = secretOf(type)?.field
  if (field === undefined) return null
  const value = config[field]
  const texts = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return texts.some((text) => text === hidden || (typeof text === 'string' && text.endsWith(`/${hidden}`)))
    ? field
    : null
}

/**
 * The nodes of a graph as a row has them. `secrets` is null for a graph without any, and for one from before they were
 * sealed.
 */
export type StoredNodes = { id: string; nodes: GraphNode[]; secrets: string | null }

/** Takes the secrets out of the nodes and encrypts them. They open only for the graph with this id. */
export function sealSecrets(keyring: Keyring, id: string, nodes: GraphNode[]): StoredNodes {
  // No prototype, since a node may be called `__proto__`.
  const secrets: Record<string, unknown> = Object.create(null)
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
