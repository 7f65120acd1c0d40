import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../context.ts'
import { isLiveToTestKey } from '../platform/mode/caller.ts'
import type { Mode } from '../platform/mode/mode.ts'
import type { Page } from '../platform/pagination.ts'
import type { Graph, GraphNode } from './graph/graph.ts'
import { secretOf } from './graph/secrets.ts'
import type { Workflow } from './queries.ts'

/** Tells whether secrets of workflows are hidden from a caller: from marketers and viewers. */
export function hidesSecrets({ role }: Pick<Caller, 'role'>): boolean {
  return role === 'marketer' || role === 'viewer'
}

/**
 * Returns the workflow as the caller may see it: without trigger key and the secrets of nodes, or as it is. A test
 * key sees no secrets of live workflows, since it would start them by their URL.
 */
export function shownTo(caller: Caller, workflow: Workflow): Workflow {
  if (!hidesSecrets(caller) && !isLiveToTestKey(caller, workflow)) return workflow
  return { ...workflow, triggerUrl: null, triggerKey: null, nodes: workflow.nodes.map(hideNode) }
}

export function pageShownTo(caller: Caller, page: Page<Workflow>): Page<Workflow> {
  return { ...page, data: page.data.map((workflow) => shownTo(caller, workflow)) }
}

/** Returns the graph of a workflow of this mode as the caller may see it. */
export function graphShownTo(caller: Caller, { nodes, connections, mode }: Graph & { mode: Mode }): Graph {
  const hide = hidesSecrets(caller) || isLiveToTestKey(caller, { mode })
  return { nodes: hide ? nodes.map(hideNode) : nodes, connections }
}

function hideNode<Node extends Pick<GraphNode, 'type' | 'config'>>(node: Node): Node {
  return { ...node, config: hideConfig(node.type, node.config) }
}

/** Hides the secret of a config. Other values stay. */
export function hideConfig(type: string, config: Record<string, unknown>): Record<string, unknown> {
  const secret = secretOf(type)
  if (!secret || config[secret.field] === undefined) return config
  return { ...config, [secret.field]: secret.hide(config[secret.field]) }
}

/**
 * Puts back the secrets that a caller saw hidden and sent unchanged, by the ids of the nodes. `settleGraph` refuses
 * those that stay hidden, such as that of a copied node.
 */
export function restoreSecrets<Node extends { id: string; type: string; config?: Record<string, unknown> }>(
  nodes: Node[],
  before: GraphNode[],
): Node[] {
  const known = new Map(before.map((node) => [node.id, node]))
  return nodes.map((node) => {
    const kept = known.get(node.id)
    const secret = secretOf(node.type)
    if (!secret || kept?.type !== node.type || kept.config[secret.field] === undefined) return node
    const { [secret.field]: value } = kept.config
    return isDeepStrictEqual(node.config?.[secret.field], secret.hide(value))
      ? { ...node, config: { ...node.config, [secret.field]: value } }
      : node
  })
}
