import type { App } from '../../context.ts'
import { type PageQuery, pageOfFixed } from '../../platform/pagination.ts'
import { nodeTypes } from './registry.ts'

/** Describes each node type for an editor, in the order of the registry. */
export function listNodeTypes({ keyring }: App, teamId: string, query: PageQuery) {
  return pageOfFixed(keyring, { list: 'node types', teamId }, query, described, ({ type }) => type)
}

const described = nodeTypes.map((node) => ({
  type: node.type,
  kind: node.kind,
  title: node.title,
  description: node.description,
  configSchema: node.config,
  outputSchema: node.output,
  branches: node.kind === 'action' && node.branches ? ['true', 'false'] : [],
  restricted: node.kind === 'action' && node.restricted === true,
}))
