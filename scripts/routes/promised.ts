import type { Route } from '../../src/platform/http/route.ts'

type Endpoint = { method: string; path: string; status: number }

/**
 * Returns the list of promised endpoints with those of the routes that it lacks. It never changes what is listed, so
 * that a test notices a route that is gone, or that answers with another status.
 */
export function withNewEndpoints(list: string, routes: readonly Route[]): string {
  const listed: Endpoint[] = JSON.parse(list)
  const names = new Set(listed.map(comparableName))
  const added = routes.filter((route) => route.operationId && !names.has(comparableName(route)))
  const lines = [...listed, ...added].map(({ method, path, status = 200 }) => {
    return `  { "method": "${method}", "path": "${path.replaceAll(/:(\w+)/g, '{$1}')}", "status": ${status} }`
  })
  return `[\n${lines.join(',\n')}\n]\n`
}

/** Returns the name of an endpoint without the names of its parameters. */
export function comparableName({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/:\w+|\{\w+\}/g, '{}')}`
}
