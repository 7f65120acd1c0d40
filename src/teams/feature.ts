import type { Feature } from '../platform/feature.ts'
import { foldStoredBytes } from './bounds/stored-bytes.ts'
import { removeDeletedTeam } from './delete/remove-rows.ts'
import { memberRoutes } from './members/routes.ts'
import { retentionRoutes } from './retention/routes.ts'
import { teamRoutes } from './routes.ts'

export const teams: Feature = {
  name: 'teams',
  routes: [...teamRoutes, ...memberRoutes, ...retentionRoutes],
  jobs: [removeDeletedTeam],
  folds: [foldStoredBytes],
}
