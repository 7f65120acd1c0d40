import type { Feature } from '../platform/feature.ts'
import { checkDomainAgain } from './check.ts'
import { domainRoutes } from './routes.ts'
import { sealedColumns } from './signing-key.ts'

export const domains: Feature = {
  name: 'domains',
  routes: domainRoutes,
  jobs: [checkDomainAgain],
  sealed: sealedColumns,
}
