import type { Feature } from '../platform/feature.ts'
import { foldContactCounts } from './count.ts'
import { markErasedContacts } from './mark-erased.ts'
import { contactRoutes } from './routes.ts'
import { contactTraces } from './traces.ts'

export const contacts: Feature = {
  name: 'contacts',
  routes: contactRoutes,
  jobs: [markErasedContacts],
  folds: [foldContactCounts],
  traces: contactTraces,
}
