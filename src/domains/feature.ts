import type { Feature } from '../platform/feature.ts'
import { checkDomainAgain } from './check/check.ts'
import { sealedColumns } from './dkim/signing-key.ts'
import { domainRoutes } from './routes.ts'

export const domains: Feature = {
  name: 'domains',
  routes: domainRoutes,
  jobs: [checkDomainAgain],
  sealed: sealedColumns,
}
