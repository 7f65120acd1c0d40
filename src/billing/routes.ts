import { type Route, routesOf } from '../platform/http/route.ts'
import { ListQuery } from '../platform/http/schema/schema.ts'
import { admins } from '../teams/roles/roles.ts'
import { listEntries } from './credit/list-entries.ts'
import { listPlans } from './list-plans.ts'
import { EntryPage, PlanList } from './schema.ts'

const route = routesOf({ access: 'full', tag: 'Billing', command: null })

export const billingRoutes: Route[] = [
  route('GET /v1/billing/plans', 'listPlans', {
    sdk: 'billing.plans',
    roles: admins,
    summary: 'List the plans',
    description:
      'Shows the limits of the plan. `GET /v1/rate-limits` shows those that an operator changed for the team.',
    query: ListQuery,
    response: PlanList,
    handle: async ({ app, caller, query }) => listPlans(app, caller, query),
  }),
  route('GET /v1/billing/entries', 'listCreditEntries', {
    sdk: 'billing.entries',
    roles: admins,
    summary: 'List the entries of the SMS credit',
    description: 'The ledger, newest first. Entries are never changed or removed.',
    query: ListQuery,
    response: EntryPage,
    handle: ({ app, caller, query }) => listEntries(app, caller.teamId, query),
  }),
]
