import type { Feature } from '../platform/feature.ts'
import { postmarkWords } from './errors.ts'
import { postmarkRoutes } from './routes.ts'

export const postmark: Feature = { name: 'postmark', dialect: { ...postmarkWords, routes: postmarkRoutes } }
