import type { App } from '../../context.ts'

/** A job somebody holds: its lease token is what entitles to finish it. */
export type Job = {
  id: string
  kind: string
  teamId: string | null
  key: string | null
  payload: Record<string, unknown>
  /** How often it has been taken up, this time included. */
  attempts: number
  leaseToken: string
}

export type JobResult = { runAt: Date; payload?: Record<string, unknown> } | 'settled' | undefined

export type JobDefinition = {
  /** `folder.verb`. */
  kind: string
  /**
   * Gives a time to be run again at, or nothing when it is done; `settled` when it removed or moved the job itself, in
   * the transaction that recorded its result. A throw means it failed for now.
   */
  run(app: App, job: Job): Promise<JobResult>
  /** Delays after failures, the last one repeating. */
  retryDelaysMs: readonly number[]
  /** How many this process runs side by side. */
  concurrency: number
  /** Its jobs belong to teams, and are taken from one team after the other (`claim-fairly.ts`). Needs an index of its own. */
  fair?: true
}

/** Work that comes round: one row for all processes, so that each due time is taken by one of them. */
export type Schedule = { kind: string; everyMs: number; run(app: App): Promise<void> }

/** Long enough for any send; after it another process takes over (promise: within 45 s of a death). */
export const leaseMs = 30_000
export const heartbeatMs = 10_000
/** How soon a worker finds what no wake-up told it of. */
export const sweepMs = 1000

/** The lease ran out and somebody else took the job: whatever was being recorded must not be. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of the job was lost to another worker.')
  }
}
