import type { Route } from '../../src/platform/http/route.ts'
import { rolesOf } from '../../src/teams/roles/refuse-role.ts'
import { everybody } from '../../src/teams/roles/roles.ts'

const begin = '<!-- Made by "npm run generate" from the routes. Do not edit. -->'
const end = '<!-- The end of what is made. -->'

/** Returns docs/teams.md with the table of roles as the routes declare them. */
export function withRoleTable(page: string, routes: readonly Route[]): string {
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`docs/teams.md has no place for the table of roles: ${begin} … ${end}`)
  return `${before}${begin}\n\n${roleTable(routes)}\n\n${end}${after}`
}

/** A row for each subject and set of roles, without what every role reads. */
function roleTable(routes: readonly Route[]): string {
  const rows = new Map<string, string[]>()
  for (const route of routes.filter(isListed)) {
    const who = rolesOf(route).length === everybody.length ? 'every role' : rolesOf(route).join(', ')
    const key = `${route.tag} | ${who}`
    rows.set(key, [...(rows.get(key) ?? []), `\`${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}\``])
  }
  const lines = [...rows].map(([key, requests]) => `| ${key} | ${requests.join(', ')} |`)
  return ['| of | roles | requests |', '| --- | --- | --- |', ...lines].join('\n')
}

function isListed(route: Route): boolean {
  return (
    route.access !== 'public' &&
    route.operationId !== undefined &&
    (route.method !== 'GET' || rolesOf(route).length < everybody.length)
  )
}
