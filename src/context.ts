import type { CompiledQuery, Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './database.ts'
import type { Egress } from './platform/egress/egress.ts'
import type { Keyring } from './platform/keys/keyring.ts'
import type { Mode } from './platform/mode/mode.ts'
import type { Names } from './platform/names/names.ts'
import type { RefusedWrite } from './platform/sql/gone.ts'
import type { Clock } from './platform/time/clock.ts'

/** A connection that only reads. */
export type Db = Kysely<Database>

/** A statement made by `sql` or by Kysely, which is not sent yet. */
export type Statement<R> = { compile(db: Db): CompiledQuery<R> }

/**
 * The promise of a function that has sent all its statements by the time it returns, and waits only then. The type
 * checks nothing: it names what `Tx.withCommit` requires. A function with a plain promise may wait between two
 * statements.
 */
export type SentAtOnce<T = void> = Promise<T>

/**
 * A transaction that reads, writes, enqueues and publishes. It must not wait for the network. `now` is the time of
 * everything it writes.
 *
 * | the next step | use |
 * | --- | --- |
 * | needs the answer, or must wait for it | `await tx.send(statement)`, `await f(tx)`, `await statement.execute(tx.db)` |
 * | does not | `void tx.send(statement)`, `tx.withCommit(f(tx))` |
 *
 * A function that returns no promise has handed its statements to COMMIT itself. One that returns `SentAtOnce` leaves
 * that to its caller. To wait for several parts use `allEnded`: a part must send nothing after the ROLLBACK that the
 * failure of another causes.
 */
export interface Tx {
  db: Db
  /**
   * Sends a statement at once, behind those sent before, without waiting for their answers. Statements that are sent in
   * one turn of the event loop go in one write, in this order, and so do those of `execute(tx.db)`. The server skips
   * those behind a failed one.
   */
  send<R>(statement: Statement<R>): SentAtOnce<R[]>
  /**
   * Takes a part whose answers decide nothing for the transaction: COMMIT goes in one write with its statements, and
   * does not wait for their answers. If one of them fails, all is rolled back, and the transaction throws its error.
   * `part` must be `SentAtOnce`: a statement that it sends later comes after COMMIT and fails, while the rest is
   * committed.
   */
  withCommit(part: SentAtOnce<unknown>): void
  now: Date
  newId(): string
  keyring: Keyring
  /**
   * Runs an effect after a successful commit. It is lost in a crash, so it is only for hints such as waking a worker.
   */
  afterCommit(effect: () => void): void
}

/**
 * Opens transactions, calls providers and runs jobs. These are the parts that `platform/` provides. The file that has
 * the type of a further part adds it here, or to `Tx`, with `declare module`.
 */
export interface App {
  config: Config
  /** The base of links in mail, without a trailing slash: `PUBLIC_URL`, or this machine at the opened port. */
  publicUrl(): string
  /** The address of this process's own HTTP server, or `publicUrl()` if it serves no API. */
  ownUrl(): string
  clock: Clock
  log: Logger
  db: Db
  /** The last time at which the database could not take a write; null if it always could. */
  lastRefusedWrite(): RefusedWrite | null
  newId(): string
  keyring: Keyring
  providers: Providers
  /** Resolves the names of all hosts that are called. */
  names: Names
  /** Makes requests to hosts that customers name. Nothing else may. */
  egress: Egress
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** True after a stop signal: new requests are refused. */
  isDraining(): boolean
}

/** The environment, read once. `config.ts` adds the values, and `settings.ts` says what each means. */
// biome-ignore lint/suspicious/noEmptyInterface: config.ts adds the values.
export interface Config {}

/**
 * The providers of each channel, which the channels add. `live` is the configured one; `test` keeps the messages of
 * test keys, whatever that is.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the channels add their providers.
export interface Providers {}

/** The API key or user that makes a request, found before the handler runs. */
export type Caller = {
  kind: 'apiKey' | 'user'
  /** The key's id or the user's. */
  id: string
  teamId: string
  permission: 'full_access' | 'sending_access'
  /** A key's mode. A user's is `live` unless the request asks for the other. */
  mode: Mode
  /** A key restricted to one sending domain. */
  domainId: string | null
  /** When a key expires. Null or undefined if it does not. */
  expiresAt?: Date | null
  /** The login of a user's access token. */
  sessionId?: string
  /** A user's role in the team. Undefined for keys, which have their permission instead. */
  role?: Role
  /** True for a user whose team requires a second factor that the user has not set up. */
  needsTwoFactor?: boolean
  /** True for a user who is known by the cookie of a browser session. */
  isBrowser?: true
  /** When the user last gave the password or a code in this login. `refuseStaleLogin` reads it. */
  confirmedAt?: Date
  plan: Plan
  limitOverrides: LimitOverrides
}

/** The rights of a user in a team. Each route names the roles that may call it. */
export type Role = 'owner' | 'admin' | 'developer' | 'marketer' | 'viewer'

export type Plan = 'free' | 'pro' | 'scale' | 'enterprise'

/** The limits of a team. `dailySmsSpendLimit` is in dollars. */
export type Limits = {
  dailyEmailLimit: number
  emailsPerSecond: number
  apiRequestsPerMinute: number
  batchSize: number
  dailySmsLimit: number
  smsBatchSize: number
  dailySmsSpendLimit: number
}

/** Further bounds of a team. `teams/bounds/` has the numbers of each plan. */
export type PlanBounds = {
  storedBytes: number
  /** Scheduled emails that wait for their time. */
  scheduledEmails: number
  /** Executions that the team's active schedules start in a minute, averaged over their busiest hour. */
  schedulesPerMinute: number
  apiKeys: number
  domains: number
  webhookEndpoints: number
  /** Members and open invitations. */
  members: number
}

/** The limits and bounds that an operator changed for the team. */
export type LimitOverrides = Partial<Limits & PlanBounds>
