import { type FieldError, invalidFields } from '../../platform/errors.ts'
import { nodeTypeOf, nodeTypes } from '../nodes/registry.ts'
import type { NewConnection, NewNode } from '../schema.ts'
import type { Connection, Graph, GraphNode } from './graph.ts'
import { findHiddenField } from './secrets.ts'

/** Fills in the defaults of a graph to be saved, which need not be ready to run. Throws `invalid` with every fault. */
export function settleGraph(nodes: NewNode[], connections: NewConnection[]): Graph {
  const faults = [...nodeFaults(nodes), ...connectionFaults(connections, new Set(nodes.map(({ id }) => id)))]
  if (faults.length > 0) throw invalidFields(faults)
  return { nodes: nodes.map(settleNode), connections: connections.map(settleConnection) }
}

function settleNode({ id, type, name, config = {}, position }: NewNode): GraphNode {
  const { x = 0, y = 0 } = position ?? {}
  return { id, type, name: name ?? nodeTypeOf(type)!.title, config, position: { x, y } }
}

function settleConnection({ id, source, target, branch = null }: NewConnection): Connection {
  return { id, source, target, branch }
}

function* nodeFaults(nodes: NewNode[]): Generator<FieldError> {
  yield* idFaults('nodes', nodes)
  for (const [index, node] of nodes.entries()) {
    const { id, type } = node
    const field = findHiddenField(node)
    if (field !== null) {
      const message = `of the node ${quote(id)} is hidden, and no secret is known for it. Enter it again`
      yield { path: `nodes[${index}].config.${field}`, message }
    }
    if (nodeTypeOf(type)) continue
    const known = nodeTypes.map((node) => node.type).join(', ')
    yield {
      path: `nodes[${index}].type`,
      message: `of the node ${quote(id)} must be one of ${known}; it was ${quote(type)}`,
    }
  }
}

function* connectionFaults(connections: NewConnection[], nodeIds: Set<string>): Generator<FieldError> {
  yield* idFaults('connections', connections)
  const seen = new Map<string, number>()
  for (const [index, { source, target, branch = null }] of connections.entries()) {
    const at = `connections[${index}]`
    for (const [end, id] of [['source', source] as const, ['target', target] as const]) {
      if (!nodeIds.has(id)) yield { path: `${at}.${end}`, message: `${quote(id)} is not the id of a node` }
    }
    if (source === target) yield { path: at, message: `leads from the node ${quote(source)} to itself` }
    const key = JSON.stringify([source, target, branch])
    const before = seen.get(key)
    if (before === undefined) seen.set(key, index)
    else yield { path: at, message: `joins ${quote(source)} and ${quote(target)} as connections[${before}] does` }
  }
}

function* idFaults(list: string, items: { id: string }[]): Generator<FieldError> {
  const seen = new Map<string, number>()
  for (const [index, { id }] of items.entries()) {
    const path = `${list}[${index}].id`
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      yield { path, message: `${quote(id)} must be 1 to 64 letters, digits, "_" and "-"` }
    }
    const before = seen.get(id)
    if (before === undefined) seen.set(id, index)
    else yield { path, message: `${quote(id)} is the id of ${list}[${before}] too` }
  }
}

/** Quotes a text of the request in a message, shortened. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
