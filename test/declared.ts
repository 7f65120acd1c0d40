import assert from 'node:assert/strict'
import { statusOf } from '../src/platform/http/errors.ts'
import type { Route } from '../src/platform/http/route.ts'
import { ownNamesOf, refusalsOf } from '../src/reference/refusals.ts'

type Refused = { status: number; body: unknown }

const patterns = new WeakMap<readonly Route[], { route: Route; pattern: RegExp }[]>()

/** Fails if a route answers with a status or a name of a refusal that the OpenAPI document does not say of it. */
export function assertDeclared(routes: readonly Route[], method: string, url: string, { status, body }: Refused): void {
  const route = status >= 400 && status < 500 ? findRoute(routes, method, url) : undefined
  if (!route?.operationId) return
  const kind = refusalsOf(route).find((declared) => statusOf[declared].status === status)
  const at = `${method} ${route.path} answers ${status}`
  assert.ok(kind, `${at}, which its route does not declare. Add it to \`refusals\`.`)
  const { name, status_code: code } = (body ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || code !== status) return
  // A workflow that a role may not save is refused by the name `forbidden`.
  const names = [statusOf[kind].name, ...ownNamesOf(kind, route), 'forbidden']
  assert.ok(
    names.includes(name),
    `${at} by the name ${name}, which its route does not declare. Add it to \`refusalNames\`.`,
  )
}

function findRoute(routes: readonly Route[], method: string, url: string): Route | undefined {
  const known = patterns.get(routes) ?? routes.map((route) => ({ route, pattern: patternOf(route.path) }))
  patterns.set(routes, known)
  const path = url.split('?')[0]!
  const matching = known.filter(({ route, pattern }) => route.method === method && pattern.test(path))
  return matching.find(({ route }) => route.path === path)?.route ?? matching[0]?.route
}

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace('.', '\\.').replace('*', '.*')))
  return new RegExp(`^${parts.join('/')}$`)
}
