import { type Route, route } from './route.ts'

type Made = Pick<Route, 'method' | 'path' | 'response' | 'handle'> &
  Partial<Pick<Route, 'body' | 'bodyOptional' | 'query' | 'params' | 'status' | 'produces'>>

/** Returns the route of an operation, which is among these. */
export function routeOfOperation(routes: Route[], operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId)
  if (!route) throw new Error(`There is no operation ${operationId}.`)
  return route
}

/**
 * Makes a route of another API that does the same as one of ours: with its permission, roles, place in test mode, and
 * bounds. It is no part of our own API.
 */
export function routeLike(own: Route, { method, path, ...made }: Made): Route {
  const { access, roles, inTest, changes, asksAgain, idempotent, bodyLimitBytes, membersMax, tag, summary } = own
  const kept = { access, roles, inTest, changes, asksAgain, idempotent, bodyLimitBytes, membersMax }
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  type Given = Parameters<typeof route>
  return route(`${method} ${path}` as Given[0], null, { ...given, tag, summary, ...made } as unknown as Given[2])
}
