import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { developers } from '../teams/roles/roles.ts'
import { createDomain } from './create.ts'
import { deleteDomain } from './delete.ts'
import { rotateDkim } from './dkim/rotate-dkim.ts'
import { getDomain } from './get.ts'
import { listDomainsOfTeam } from './queries.ts'
import { Domain, DomainChanges, DomainList, NewDomain } from './schema.ts'
import { updateDomain } from './update.ts'
import { verifyDomain } from './verify.ts'

const route = routesOf({ access: 'full', inTest: 'shared', tag: 'Domains' }, { roles: developers, changes: 'domains' })

export const domainRoutes: Route[] = [
  route('POST /v1/domains', 'createDomain', {
    command: 'domains add',
    summary: 'Add a sending domain',
    description: 'Returns the DNS records to publish. Verify the domain afterwards.',
    body: NewDomain,
    response: Domain,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createDomain(app, caller.teamId, body),
  }),
  route('GET /v1/domains', 'listDomains', {
    summary: 'List domains',
    description: 'Newest first, without their records.',
    query: ListQuery,
    response: DomainList,
    handle: ({ app, caller, query }) => listDomainsOfTeam(app, caller.teamId, query),
  }),
  route('GET /v1/domains/:id', 'getDomain', {
    command: null,
    summary: 'Get a domain with its records',
    response: Domain,
    handle: ({ app, caller, params }) => getDomain(app, caller.teamId, params.id),
  }),
  route('PATCH /v1/domains/:id', 'updateDomain', {
    summary: "Change a domain's settings",
    description:
      'A setting may require new records, which are then pending. A verified domain keeps sending with its former return path meanwhile.',
    body: DomainChanges,
    response: Domain,
    handle: ({ app, caller, params, body }) => updateDomain(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/domains/:id', 'deleteDomain', {
    summary: 'Delete a domain',
    description:
      'Also deletes the API keys restricted to it; with a `full_access` key among them it is for owners and admins. Refused while emails of the domain are scheduled or being sent. Cannot be undone.',
    asksAgain: 'if a `full_access` key goes with it',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteDomain(app, caller, params.id),
  }),
  route('POST /v1/domains/:id/verify', 'verifyDomain', {
    command: null,
    summary: "Check a domain's DNS records",
    description:
      'Returns the domain with the result. Records that are still missing are looked up again in the background.',
    response: Domain,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => verifyDomain(app, caller.teamId, params.id),
  }),
  route('POST /v1/domains/:id/rotate-dkim', 'rotateDomainDkim', {
    summary: "Replace a domain's DKIM key",
    description:
      'Returns the domain with the record of a new key, to be published beside the present one. Mail is signed with the new key once a check has found its record. The former record is listed for 7 more days, for mail that is still on its way; then it can be removed.',
    response: Domain,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => rotateDkim(app, caller.teamId, params.id),
  }),
]
