import type { Feature } from '../platform/feature.ts'
import { cleanUpExports } from './clean-up.ts'
import { routes } from './routes.ts'
import { runPrivacy } from './run.ts'

export const privacy: Feature = { name: 'privacy', routes, jobs: [runPrivacy], schedules: [cleanUpExports] }
