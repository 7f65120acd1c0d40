import type { App, Tx } from '../context.ts'
import type { Subscription } from './events.ts'
import type { Dialect } from './http/dialect.ts'
import type { Route } from './http/route.ts'
import type { JobDefinition, Schedule } from './jobs/job.ts'
import type { Trace } from './privacy/trace.ts'
import type { Removal } from './retention/removal.ts'
import type { SealedColumn } from './sealed/column.ts'
import type { Fold } from './sql/fold-counts.ts'

/** A listener beside HTTP. Processes with the role `smtp` open it when they are ready. */
export type Door = {
  /** Its name in the log, such as `smtp`. */
  name: string
  /** Returns null if the configuration switches it off. Throws if it cannot be opened. */
  open(app: App): Promise<OpenDoor | null>
}

export type OpenDoor = {
  port: number
  /** Accepts no new connections and waits for those under way, `graceMs` at most. */
  close(graceMs: number): Promise<void>
}

/**
 * Called in the commit that begins an erasure, in the order of the features, with each address or number of the person
 * and each of the team's ids. Stops messages to the person, known to the team or not, or forgets what that makes
 * needless.
 */
export type Blocks = {
  address?(tx: Tx, teamId: string, address: string): Promise<void>
  number?(tx: Tx, teamId: string, number: string): Promise<void>
}

/** The parts that a folder adds to the app. */
export type Feature = {
  name: string
  routes?: Route[]
  /** Routes for clients that were written for another API. */
  dialect?: Dialect
  jobs?: JobDefinition[]
  subscriptions?: Subscription[]
  schedules?: Schedule[]
  /** Counts that it keeps. All of them are folded by one schedule. */
  folds?: Fold[]
  doors?: Door[]
  /** The encrypted columns of the folder. `secrets rotate` encrypts them again. */
  sealed?: SealedColumn[]
  /** Rows that may name a person. Exports and erasures go through those of all features. */
  traces?: Trace[]
  /** Blocks a person who is erased. */
  blocks?: Blocks
  /** Rows that are removed when they are old or too many. `retention/` removes those of all features. */
  removals?: Removal[]
  /** Writes or closes what the folder still holds when the process ends. */
  stop?(app: App): Promise<void>
}
