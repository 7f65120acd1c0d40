import type { Feature } from '../platform/feature.ts'
import { sealedColumns } from './create.ts'
import { exportRemovals } from './removals.ts'
import { privacyRoutes } from './routes.ts'
import { runPrivacy } from './run.ts'

/**
 * Exports and erases the traces of a person in the features that keep any, and blocks a person who is erased. Traces of
 * later features come first: their rows were made from those of earlier ones.
 */
export function privacy(keepers: Feature[]): Feature {
  return {
    name: 'privacy',
    routes: privacyRoutes(keepers.flatMap(({ blocks = [] }) => blocks)),
    jobs: [runPrivacy(keepers.toReversed().flatMap(({ traces = [] }) => traces))],
    sealed: sealedColumns,
    removals: exportRemovals,
  }
}
