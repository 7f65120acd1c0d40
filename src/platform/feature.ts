import type { App } from '../context.ts'
import type { Subscription } from './events.ts'
import type { Route } from './http/route.ts'
import type { JobDefinition, Schedule } from './jobs/job.ts'
import type { SealedColumn } from './sealed/column.ts'

/** A listener beside HTTP. It is opened when the process is ready, by processes that have the role `smtp`. */
export type Door = {
  /** As the log names it: `smtp`. */
  name: string
  /** Null where the configuration switches it off. Throws where it cannot be opened. */
  open(app: App): Promise<OpenDoor | null>
}

export type OpenDoor = {
  port: number
  /** Takes nothing new and waits for what is under way, `graceMs` at most. */
  close(graceMs: number): Promise<void>
}

/** What a folder plugs into the app. */
export type Feature = {
  name: string
  routes?: Route[]
  jobs?: JobDefinition[]
  subscriptions?: Subscription[]
  schedules?: Schedule[]
  doors?: Door[]
  /** The encrypted columns of the folder. `secrets rotate` encrypts them anew. */
  sealed?: SealedColumn[]
  /** What the folder still has to write or close when the process ends. */
  stop?(app: App): Promise<void>
}
