import type { App } from '../context.ts'
import type { Subscription } from './events.ts'
import type { Route } from './http/route.ts'
import type { JobDefinition, Schedule } from './jobs/job.ts'

/** What a folder plugs into the app. */
export type Feature = {
  name: string
  routes?: Route[]
  jobs?: JobDefinition[]
  subscriptions?: Subscription[]
  schedules?: Schedule[]
  /** What the folder still has to write or close when the process ends. */
  stop?(app: App): Promise<void>
}
