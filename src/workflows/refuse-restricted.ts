import type { App, Caller, Role } from '../context.ts'
import { forbidden } from '../platform/errors.ts'
import { roleForbidden } from '../teams/roles/refuse-role.ts'
import { hostsOfChats, leavesChats } from './calls/chat-hosts.ts'
import { isChat } from './hide-secrets.ts'

const may: readonly Role[] = ['owner', 'admin', 'developer']

type Node = { type: string; config?: Record<string, unknown> }

/**
 * Throws `forbidden` if a marketer would create, edit, duplicate or delete a workflow with `code` or `http_request` nodes, or with a
 * message to a host that is no chat's, which is a request like any other. A marketer may run such workflows and switch them on
 * and off.
 */
export function refuseRestricted({ config }: App, { role }: Pick<Caller, 'role'>, nodes: readonly Node[]): void {
  if (role !== 'marketer') return
  if (nodes.some(({ type }) => type === 'code' || type === 'http_request')) throw roleForbidden(may, role)
  if (nodes.some((node) => isChat(node.type) && leavesChats(config, node.config?.webhook_url))) {
    const hosts = new Intl.ListFormat('en').format(hostsOfChats(config))
    throw forbidden(
      `A message to another host than ${hosts} needs the role owner, admin or developer; your role in this team is marketer.`,
      'forbidden',
    )
  }
}
