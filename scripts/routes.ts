import { readFileSync, writeFileSync } from 'node:fs'
import { routes } from '../src/app.ts'
import { cliFile, commandsFile } from './routes/cli.ts'
import { dashboardRoles } from './routes/dashboard-roles.ts'
import { endpointFiles } from './routes/endpoints.ts'
import { withNewEndpoints } from './routes/promised.ts'
import { withRoleTable } from './routes/roles.ts'
import { methodsFile, sdkFile } from './routes/sdk.ts'
import { wrapComments } from './wrap-comments.ts'

const root = new URL('..', import.meta.url)

/** The files that are made from the routes, with their texts. */
export async function filesOfRoutes(): Promise<Record<string, string>> {
  const { endpoints, shapes } = await endpointFiles(routes)
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
  return {
    'docs/teams.md': withRoleTable(read('docs/teams.md'), routes),
    'test/fixtures/endpoints.json': withNewEndpoints(read('test/fixtures/endpoints.json'), routes),
    'dashboard/src/api/roles.ts': dashboardRoles(routes),
    'dashboard/src/api/endpoints.ts': endpoints,
    'dashboard/src/api/shapes.ts': shapes,
    'sdk/src/api.ts': wrapComments(sdkFile(routes)),
    'sdk/src/methods.ts': methodsFile(routes),
    'cli/src/operations.ts': cliFile(routes),
    'cli/src/drawn.ts': commandsFile(routes),
  }
}

/** `npm run generate` writes them. `test/routes.test.ts` refuses old ones. */
if (import.meta.main) {
  for (const [path, text] of Object.entries(await filesOfRoutes())) writeFileSync(new URL(path, root), text)
}
