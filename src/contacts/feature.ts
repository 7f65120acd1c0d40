import type { Feature } from '../platform/feature.ts'
import { foldContactCounts } from './count.ts'
import { contactRoutes } from './routes.ts'

export const contacts: Feature = { name: 'contacts', routes: contactRoutes, folds: [foldContactCounts] }
