import Type from 'typebox'
import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { addSuppression } from './add.ts'
import { deleteSuppression } from './delete.ts'
import { exportSuppressions } from './export.ts'
import { listSuppressions } from './list.ts'
import { findSuppression } from './queries.ts'
import { NewSuppression, Suppression, SuppressionFilter, SuppressionPage, SuppressionQuery } from './schema.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'Suppressions' },
  { roles: marketers, changes: 'suppressions' },
)

export const suppressionRoutes: Route[] = [
  route('POST /v1/suppressions', 'createSuppression', {
    summary: 'Block an address',
    description: 'Nothing more is sent to the address. An address that is already blocked returns its entry.',
    body: NewSuppression,
    response: Suppression,
    handle: ({ app, caller, body }) => addSuppression(app, caller.teamId, body.email),
  }),
  route('GET /v1/suppressions', 'listSuppressions', {
    summary: 'List blocked addresses',
    description: 'Newest first. `search` looks in the address.',
    query: SuppressionQuery,
    response: SuppressionPage,
    handle: ({ app, caller, query }) => listSuppressions(app, caller.teamId, query),
  }),
  route('GET /v1/suppressions/export', 'exportSuppressions', {
    sdk: 'suppressions.export',
    summary: 'Export blocked addresses',
    description:
      'A CSV file with the columns `id`, `email`, `reason` and `createdAt`, newest first. An apostrophe stands before a cell that a spreadsheet would run as a formula.',
    query: SuppressionFilter,
    response: Type.String(),
    produces: 'text/csv',
    handle: ({ app, caller, query, reply }) => exportSuppressions(app, caller.teamId, query, reply),
  }),
  route('GET /v1/suppressions/:id', 'getSuppression', {
    summary: 'Get a blocked address',
    response: Suppression,
    handle: ({ app, caller, params }) => orNotFound('suppression', findSuppression(app.db, caller.teamId, params.id)),
  }),
  route('DELETE /v1/suppressions/:id', 'deleteSuppression', {
    summary: 'Unblock an address',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteSuppression(app, caller.teamId, params.id),
  }),
]
