import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FieldError } from '../../platform/errors.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import type { Reference } from '../nodes/node.ts'
import { nodeTypeOf, nodeTypes } from '../nodes/registry.ts'
import type { Graph } from './graph.ts'
import { soundPart } from './sound-part.ts'

/** An id in the config of a node. */
export type Named = Reference & { nodeId: string }

export type ReadConfigs = { faults: FieldError[]; named: Named[] }

/**
 * Finds the faults of all configs, and the ids in them. No fault hides another, since the checks of a type do not see
 * the parts that its schema refuses. Patterns and programs take milliseconds to read, so other requests have their turn
 * after each node.
 */
export async function readConfigs({ nodes }: Graph): Promise<ReadConfigs> {
  const faults: FieldError[] = []
  const named: Named[] = []
  for (const [index, { id, type, config }] of nodes.entries()) {
    await nextTurn()
    const at = `nodes[${index}].config`
    const nodeType = nodeTypeOf(type)
    if (!nodeType) {
      faults.push({
        path: `nodes[${index}].type`,
        message: `of the node "${id}" is no longer a node type; it was "${type}"`,
      })
      continue
    }
    const inSchema = finders.get(type)!(config)
    const sound = inSchema.length > 0 ? soundPart(nodeType.config, config) : config
    const told = new Set(inSchema.map(({ path }) => path))
    // Values that the schema refused are missing from `sound`, so the type may report them a second time.
    const inType = (nodeType.faults?.(sound as never) ?? []).filter(({ path }) => !told.has(path))
    for (const { path, message } of [...inSchema, ...inType]) {
      faults.push({ path: join(at, path), message: `${message} (node "${id}")` })
    }
    for (const reference of nodeType.references?.(sound as never) ?? []) {
      named.push({ ...reference, path: join(at, reference.path), nodeId: id })
    }
  }
  return { faults, named }
}

const finders = new Map(nodeTypes.map(({ type, config }) => [type, faultFinder(config)]))

function join(at: string, path: string): string {
  return path === '' || path.startsWith('[') ? at + path : `${at}.${path}`
}
