import type { Route } from '../../src/platform/http/route.ts'
import { rolesOf } from '../../src/teams/roles/refuse-role.ts'
import * as sets from '../../src/teams/roles/roles.ts'

const { everybody, ...others } = sets

/** Returns dashboard/src/api/roles.ts: the roles of each request that not every role may make. */
export function dashboardRoles(routes: readonly Route[]): string {
  const restricted = routes.filter((route) => route.access !== 'public' && rolesOf(route).length < everybody.length)
  const rows = restricted.map((route) => `  '${route.method} ${route.path}': ${nameOf(route)},`)
  return `// Made by "npm run generate" from the routes. Do not edit.

export type Role = ${everybody.map(quote).join(' | ')}

${Object.entries(others)
  .map(([name, roles]) => `export const ${name}: readonly Role[] = [${roles.map(quote).join(', ')}]`)
  .join('\n')}

/** The roles that may make a request. Every role may make those that are not here. */
export const rolesOf = {
${rows.join('\n')}
} as const

export type RestrictedRequest = keyof typeof rolesOf
`
}

function nameOf(route: Route): string {
  const [name] = Object.entries(others).find(([, roles]) => roles === rolesOf(route)) ?? []
  if (name === undefined) throw new Error(`${route.method} ${route.path}: name its roles in src/teams/roles/roles.ts`)
  return name
}

const quote = (text: string) => `'${text}'`
