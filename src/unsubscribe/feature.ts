import type { Feature } from '../platform/feature.ts'
import { unsubscribeRoutes } from './routes.ts'
import { optOutLocked } from './unsubscribe.ts'

export const unsubscribe: Feature = { name: 'unsubscribe', routes: unsubscribeRoutes, jobs: [optOutLocked] }
