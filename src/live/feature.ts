import type { Feature } from '../platform/feature.ts'
import { hubOf } from './hub.ts'
import { noteEvents } from './note-events.ts'
import { liveRoutes } from './routes.ts'

export const live: Feature = {
  name: 'live',
  routes: liveRoutes,
  subscriptions: [noteEvents],
  stop: async (app) => hubOf(app.jobs).flush(),
}
