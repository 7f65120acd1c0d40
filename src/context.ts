import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { PaymentsProvider } from './billing/payments/provider.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import type { EmailProvider } from './emails/provider.ts'
import type { Clock } from './platform/clock.ts'
import type { Egress } from './platform/egress/egress.ts'
import type { Subscription } from './platform/events.ts'
import type { RequestWindow } from './platform/http/server.ts'
import type { JobRunner } from './platform/jobs/runner.ts'
import type { Keyring } from './platform/keyring.ts'
import type { Names } from './platform/names/names.ts'
import type { SmsProvider } from './sms/provider.ts'
import type { WhatsappProvider } from './whatsapp/provider.ts'

/** Reads. */
export type Db = Kysely<Database>

/**
 * One unit of work: reads, writes, enqueues and publishes, all or nothing. Nothing in it may wait for the network.
 * `now` is the one time of everything the unit writes.
 */
export type Tx = {
  db: Db
  now: Date
  newId(): string
  /** Runs after the commit, never when it fails; not durable, so only for hints such as waking a worker. */
  afterCommit(effect: () => void): void
  jobs: JobRunner
  subscriptions: readonly Subscription[]
}

/** Owns units of work, calls providers, runs jobs. */
export type App = {
  config: Config
  /** Base of the links in mail, without a slash at its end: `PUBLIC_URL`, or this machine at the port that was opened. */
  publicUrl(): string
  /** Where this process answers HTTP itself; the same, where it serves no API. */
  ownUrl(): string
  clock: Clock
  log: Logger
  db: Db
  newId(): string
  keyring: Keyring
  jobs: JobRunner
  emailProvider: EmailProvider
  smsProvider: SmsProvider
  whatsappProvider: WhatsappProvider
  payments: PaymentsProvider
  /** Looks up the names of all hosts that are called. */
  names: Names
  /** The only way to hosts that customers name. */
  egress: Egress
  generateDkimKeys(): Promise<{ publicKey: string; privateKey: string }>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Counts one request against the caller's, or without one the address's, window of a minute. */
  countRequest(caller: Caller | null, address: string): Promise<RequestWindow>
  /** From a stop signal on: new requests are refused. */
  isDraining(): boolean
}

/** Who is asking, known before a handler runs. */
export type Caller = {
  kind: 'apiKey' | 'user'
  /** The key's id or the user's. */
  id: string
  teamId: string
  permission: 'full_access' | 'sending_access'
  /** A key restricted to one sending domain. */
  domainId: string | null
  /** When a key ends; null or left out: never. */
  expiresAt?: Date | null
  /** The login of a user's access token. */
  sessionId?: string
  plan: Plan
  limitOverrides: LimitOverrides
}

export type Plan = 'free' | 'pro' | 'scale' | 'enterprise'

/** What a team may do; `dailySmsSpendLimit` is in dollars. */
export type Limits = {
  dailyEmailLimit: number
  emailsPerSecond: number
  apiRequestsPerMinute: number
  batchSize: number
  dailySmsLimit: number
  smsBatchSize: number
  dailySmsSpendLimit: number
}

/** The bounds of a team beside the limits of the specification. `teams/bounds/` has the numbers of each plan. */
export type PlanBounds = {
  storedBytes: number
  /** Scheduled emails that wait for their time. */
  scheduledEmails: number
  /** Executions that the active schedules of the team start in a minute, averaged over their busiest hour. */
  schedulesPerMinute: number
  apiKeys: number
  domains: number
  webhookEndpoints: number
}

/** The limits and bounds that an operator changed for the team. */
export type LimitOverrides = Partial<Limits & PlanBounds>
