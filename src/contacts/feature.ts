import type { Feature } from '../platform/feature.ts'
import { foldContactCounts } from './count.ts'
import { markContactErased } from './mark-erased.ts'
import { noteEarlierErasures } from './note-earlier-erasures.ts'
import { contactRoutes } from './routes.ts'
import { contactTraces } from './traces.ts'

export const contacts: Feature = {
  name: 'contacts',
  routes: contactRoutes,
  jobs: [noteEarlierErasures],
  folds: [foldContactCounts],
  traces: contactTraces,
  blocks: { address: markContactErased },
}
