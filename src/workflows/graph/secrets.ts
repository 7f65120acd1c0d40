import type { Keyring } from '../../platform/keyring.ts'
import type { SealedColumn } from '../../platform/sealed/column.ts'
import type { GraphNode } from './graph.ts'

const purpose = 'workflow-graph'
export const sealedColumns: SealedColumn[] = [{ table: 'workflow_graphs', column: 'secrets', purpose }]

/** By the type of the node: headers, and addresses that are all a sender needs. */
const secretFields: Record<string, string> = {
  http_request: 'headers',
  slack_notification: 'webhook_url',
  discord_notification: 'webhook_url',
}

/** Names the field of a node's config that may hold a secret; undefined for a type without one. */
export function secretFieldOf(type: string): string | undefined {
  return secretFields[type]
}

/** The nodes of a graph as a row has them. `secrets` is null for a graph without any, and for one from before they were sealed. */
export type StoredNodes = { id: string; nodes: GraphNode[]; secrets: string | null }

/** Takes the secrets out of the nodes and encrypts them. They open only for the graph with this id. */
export function sealSecrets(keyring: Keyring, id: string, nodes: GraphNode[]): StoredNodes {
  const secrets: Record<string, unknown> = {}
  const stored = nodes.map((node) => {
    const field = secretFields[node.type]
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
    const field = secretFields[node.type]
    if (field === undefined || !Object.hasOwn(secrets, node.id)) return node
    return { ...node, config: { ...node.config, [field]: secrets[node.id] } }
  })
}
