import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { developers } from '../teams/roles/roles.ts'
import { findRequest, listRequests } from './queries.ts'
import { LoggedRequest, RequestPage, RequestParams, RequestQuery } from './schema.ts'

const route = routesOf({ access: 'user', tag: 'Request log' })

export const getRequestRoute = route('GET /v1/requests/:requestId', 'getRequest', {
  roles: developers,
  summary: 'Get a request',
  description: 'By the `X-Request-Id` of its answer.',
  params: RequestParams,
  response: LoggedRequest,
  handle: ({ app, caller, params }) => orNotFound('request', findRequest(app, caller.teamId, params.requestId)),
})

export const requestRoutes: Route[] = [
  route('GET /v1/requests', 'listRequests', {
    roles: developers,
    summary: 'List requests',
    description:
      'The requests of the team’s keys and users in the last 7 days, newest first, with how they were answered. Bodies and ' +
      'queries are not kept. A request appears within a second or two. Requests that the rate limit refused are listed in ' +
      'part. Without the server’s request log the list is empty.',
    query: RequestQuery,
    response: RequestPage,
    handle: ({ app, caller, query }) => listRequests(app, caller.teamId, query),
  }),
  getRequestRoute,
]
