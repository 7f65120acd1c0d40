import { nodeTypes } from './registry.ts'

/** What an editor needs to know of every type, in the order of the registry. */
export function listNodeTypes() {
  return nodeTypes.map((node) => ({
    type: node.type,
    kind: node.kind,
    title: node.title,
    description: node.description,
    configSchema: node.config,
    branches: node.kind === 'action' && node.branches ? ['true', 'false'] : [],
  }))
}
