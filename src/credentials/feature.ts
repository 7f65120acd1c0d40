import type { Feature } from '../platform/feature.ts'
import { credentialRoutes } from './routes.ts'
import { sealedColumns } from './secret.ts'
import { credentialTraces } from './traces.ts'

export const credentials: Feature = {
  name: 'credentials',
  routes: credentialRoutes,
  sealed: sealedColumns,
  traces: credentialTraces,
}
