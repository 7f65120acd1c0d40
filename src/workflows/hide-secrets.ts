import type { Caller } from '../context.ts'
import { hidden, hidePath } from '../platform/hide-path.ts'
import { isLiveToTestKey, type Mode } from '../platform/mode.ts'
import type { Page } from '../platform/pagination.ts'
import type { Graph, GraphNode } from './graph/graph.ts'
import { secretFieldOf } from './graph/secrets.ts'
import type { Workflow } from './queries.ts'

/** Tells whether secrets of workflows are hidden from a caller: from marketers and viewers. */
export function hidesSecrets({ role }: Pick<Caller, 'role'>): boolean {
  return role === 'marketer' || role === 'viewer'
}

/**
 * Returns the workflow as the caller may see it: without trigger key, values of headers and addresses of chats, or as it is. A test
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

/** Hides the values of all headers of `http_request`, and the addresses of Slack and Discord. */
export function hideConfig(type: string, config: Record<string, unknown>): Record<string, unknown> {
  const field = secretFieldOf(type)
  if (field === undefined || config[field] === undefined) return config
  return { ...config, [field]: isChat(type) ? hideAddress(config[field]) : hideValues(config[field]) }
}

/** Drafts may hold any JSON in place of headers. */
function hideValues(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return hidden
  return Object.fromEntries(Object.keys(headers).map((name) => [name, hidden]))
}

function hideAddress(url: unknown): string {
  return typeof url === 'string' ? hidePath(url) : hidden
}

/** Tells whether a node posts to Slack or Discord. */
export function isChat(type: string): boolean {
  return secretFieldOf(type) === 'webhook_url'
}

/** Puts back the addresses that a caller saw hidden and sent unchanged, by the ids of the nodes. */
export function restoreAddresses<Node extends { id: string; type: string; config?: Record<string, unknown> }>(
  nodes: Node[],
  before: GraphNode[],
): Node[] {
  const known = new Map(before.map((node) => [node.id, node]))
  return nodes.map((node) => {
    const kept = known.get(node.id)
    const url = kept?.config.webhook_url
    if (kept?.type !== node.type || !isChat(node.type) || url === undefined) return node
    return node.config?.webhook_url === hideAddress(url)
      ? { ...node, config: { ...node.config, webhook_url: url } }
      : node
  })
}
