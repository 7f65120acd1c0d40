import { type Route, route } from '../platform/http/route.ts'
import { admins } from '../teams/roles/roles.ts'
import { listAuditEntries } from './list.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const auditRoutes: Route[] = [
  route('GET /v1/audit', 'listAuditEntries', {
    access: 'user',
    roles: admins,
    tag: 'Audit log',
    summary: 'List changes',
    description:
      'Who changed what, newest first: one entry for each change of configuration, people, keys, secrets, billing and ' +
      'suppressions. Entries never change and are kept for 400 days. Values of secrets and contents of messages are not ' +
      'in them.',
    query: AuditQuery,
    response: AuditPage,
    handle: ({ app, caller, query }) => listAuditEntries(app, caller.teamId, query),
  }),
]
