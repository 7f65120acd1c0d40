import type { App, Tx } from '../../context.ts'

/** A job that this process claimed. Only the holder of the lease token may finish it. */
export type Job<Payload extends object = object> = {
  id: string
  kind: string
  teamId: string | null
  key: string | null
  payload: Payload
  /** How often it was claimed, including this time. */
  attempts: number
  /** Failed attempts in a row, before this one. */
  failures: number
  /** How often in a row its lease ran out, because the process that ran it ended. */
  takeUps: number
  /** True if a process ended while it had the job, at any time. It may have done any part of the work. */
  wasTakenUp: boolean
  /** How often a process ended while it did a dangerous part of this job, and of no other (`alone.ts`). */
  endings: number
  leaseToken: string
  /** The time until which no other process can take the job. Each heartbeat extends it. */
  leasedUntil: Date
}

/** A job of a team. Its key is the id of the resource that it works on. */
export type TeamJob<Payload extends object = object> = Job<Payload> & { teamId: string; key: string }
/** A job of a team without a key, so that any number of its kind may wait. */
export type UnkeyedJob<Payload extends object = object> = Job<Payload> & { teamId: string; key: null }
/** A job of the installation; it belongs to no team. */
export type SystemJob<Payload extends object = object> = Job<Payload> & { teamId: null; key: string }

/**
 * A kind of job, declared in its folder's `jobs.ts`. Files that add such jobs and the file that runs them import it
 * from there.
 */
export type JobKind<J extends Job = Job> = {
  /** `folder.verb-in-kebab`, stored in the rows of `jobs`. */
  kind: string
  /** Never set. Holds the type of the kind's jobs. */
  readonly job?: J
}

export type Empty = Record<string, never>

export function teamJob<Payload extends object = Empty>(kind: string): JobKind<TeamJob<Payload>> {
  return { kind }
}

export function unkeyedJob<Payload extends object = Empty>(kind: string): JobKind<UnkeyedJob<Payload>> {
  return { kind }
}

export function systemJob<Payload extends object = Empty>(kind: string): JobKind<SystemJob<Payload>> {
  return { kind }
}

/** Without a type of payload: the payload stays as it is. */
export type JobResult<Payload extends object = never> = { runAt: Date; payload?: Payload } | 'recorded' | undefined

type JobRun<J extends Job = Job> = {
  /**
   * Returns when to run the job again, or nothing when it is done. Returns `recorded` if it removed or moved the job in
   * the transaction that recorded its result. If it throws, the job is repeated after a delay, and discarded in the
   * end.
   */
  run(app: App, job: J): Promise<JobResult<J['payload']>>
  /** Delays after failures; the last one repeats, or grows (`attempts.ts`). */
  retryDelaysMs: readonly number[]
  /** Failed attempts in a row after which the job is discarded: 25 within a day if left out. Infinity: never. */
  attemptsMax?: number
  /**
   * How often in a row a job is taken up from a process that ended, before that counts as a failed attempt: 3 if left
   * out.
   */
  takeUpsMax?: number
  /**
   * Marks what the job works on as ended, in the commit that discards the job. `reason` may be shown
   * to the team. With `byRestore` the old server may have done the job after the backup. Locks its rows before the
   * job's, as claims do.
   */
  onDiscard?(app: App, tx: Tx, job: J, reason: string, byRestore: boolean): Promise<void>
  /** Lets the thing of a discarded job go on. Returns null, or why the job cannot run again and what to do instead. */
  onRetry?(tx: Tx, job: J): Promise<string | null>
  /**
   * Says how a restore treats a due job, which the old server may have done after the backup: `discard` discards it,
   * and `note` adds `restoredAt` to its payload. Without it the job runs, because a repeat sends nothing to anybody.
   */
  atRestore?: 'discard' | 'note'
  /** The number of jobs of the kind that this process runs at the same time. */
  concurrency: number
  /**
   * Claims the jobs from one team after the other (`claim-fairly.ts`). The kind must be of a team and needs an index.
   */
  fair?: true
}

export type JobDefinition<J extends Job = Job> = JobKind<J> & JobRun<J>

export function defineJob<J extends Job>({ kind }: JobKind<J>, run: JobRun<J>): JobDefinition<J> {
  return { kind, ...run }
}

/** Work that is repeated at an interval. It has one row for all processes, so one of them runs each due time. */
export type Schedule = { kind: string; everyMs: number; run(app: App): Promise<void> }

/** Leases are extended this many times before they would end. */
export const beatsPerLease = 3
/** More than the difference between the clocks of two processes, with time to begin. */
const leaseMarginMs = 2000

/** Tells whether the lease certainly holds now. If false, another process may have the job. */
export function holdsLease({ leasedUntil }: Job, now: Date): boolean {
  return now.getTime() < leasedUntil.getTime() - leaseMarginMs
}

/** The time after which a worker finds a job whose wake-up it missed. */
export const sweepMs = 1000

/** The job cannot succeed, so it is discarded without further attempts. */
export class JobHopeless extends Error {}

/** The wait after a look that claimed nothing of what is due. It doubles with each further one, up to `sweepMs`. */
export const blockedMs = 10

/**
 * The job is no longer this holder's, so nothing more may be recorded: another worker claimed it after the lease, a
 * cancellation removed it, or an earlier commit of this holder ended it and its answer was lost.
 */
export class LeaseLost extends Error {
  constructor() {
    super('The job is no longer held: its lease ran out, or it was ended.')
  }
}
