import type { Feature } from '../platform/feature.ts'
import { routes } from './routes.ts'
import { sealedColumns } from './secret.ts'

export const credentials: Feature = { name: 'credentials', routes, sealed: sealedColumns }
