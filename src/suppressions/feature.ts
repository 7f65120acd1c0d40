import type { Feature } from '../platform/feature.ts'
import { suppressionRoutes } from './routes.ts'
import { suppressErased } from './suppress-erased.ts'
import { suppressionTraces } from './traces.ts'

export const suppressions: Feature = {
  name: 'suppressions',
  routes: suppressionRoutes,
  traces: suppressionTraces,
  blocks: { address: suppressErased },
}
