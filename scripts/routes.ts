import { readFileSync, writeFileSync } from 'node:fs'
import { routes } from '../src/app.ts'
import { dashboardRoles } from './routes/dashboard-roles.ts'
import { withRoleTable } from './routes/roles.ts'

const root = new URL('..', import.meta.url)

/** The files that are made from the routes, with their texts. */
export function filesOfRoutes(): Record<string, string> {
  return {
    'docs/teams.md': withRoleTable(readFileSync(new URL('docs/teams.md', root), 'utf8'), routes),
    'dashboard/src/api/roles.ts': dashboardRoles(routes),
  }
}

/** `npm run routes` writes them. `test/routes.test.ts` refuses old ones. */
if (import.meta.main) {
  for (const [path, text] of Object.entries(filesOfRoutes())) writeFileSync(new URL(path, root), text)
}
