import type { Caller, Role } from '../context.ts'
import { roleForbidden } from '../teams/roles/refuse-role.ts'

const may: readonly Role[] = ['owner', 'admin', 'developer']

/**
 * Throws `forbidden` if a marketer would create, edit, duplicate or delete a workflow with `code` or `http_request` nodes. A
 * marketer may run such workflows and switch them on and off.
 */
export function refuseRestricted({ role }: Pick<Caller, 'role'>, nodes: readonly { type: string }[]): void {
  if (role !== 'marketer') return
  if (nodes.some(({ type }) => type === 'code' || type === 'http_request')) throw roleForbidden(may, role)
}
