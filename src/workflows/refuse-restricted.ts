import type { App, Caller, Role } from '../context.ts'
import { forbidden } from '../platform/errors.ts'
import { roleForbidden } from '../teams/roles/refuse-role.ts'
import { nodeTypeOf } from './nodes/registry.ts'

const may: readonly Role[] = ['owner', 'admin', 'developer']

type Node = { type: string; config?: Record<string, unknown> }

/**
 * Throws `forbidden` if a marketer would create, edit, duplicate or delete a workflow with nodes that are restricted,
 * as their types declare. A marketer may run such workflows and switch them on and off.
 */
export function refuseRestricted(app: App, { role }: Pick<Caller, 'role'>, nodes: readonly Node[]): void {
  if (role !== 'marketer') return
  if (nodes.some(({ type }) => restrictionOf(type) === true)) throw roleForbidden(may, role)
  for (const { type, config = {} } of nodes) {
    const restricted = restrictionOf(type)
    const reason = typeof restricted === 'function' ? restricted(app, config) : null
    if (reason !== null) throw forbidden(reason, 'forbidden')
  }
}

function restrictionOf(type: string) {
  const node = nodeTypeOf(type)
  return node?.kind === 'action' ? node.restricted : undefined
}
