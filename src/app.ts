import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { identify } from './auth/identify.ts'
import { usualPasswordCost } from './auth/passwords/password.ts'
import type { PaymentsProvider } from './billing/payments/provider.ts'
import { paymentsProviders } from './billing/payments/providers/registry.ts'
import type { App, Config } from './context.ts'
import type { EmailProvider, OutboundMessage } from './emails/provider.ts'
import { captureProvider } from './emails/providers/capture.ts'
import { emailProviders } from './emails/providers/registry.ts'
import { features } from './features.ts'
import { health } from './health/feature.ts'
import { storeInboxSms } from './inbox/sms/store.ts'
import { storeInboxMessage } from './inbox/store.ts'
import { storeInboxWhatsapp } from './inbox/whatsapp/store.ts'
import { noteChange } from './live/note-change.ts'
import { createEgress, type Egress } from './platform/egress/egress.ts'
import { subscribersOf } from './platform/events.ts'
import type { OpenDoor } from './platform/feature.ts'
import type { Route } from './platform/http/route.ts'
import { closeServer, createServer } from './platform/http/server.ts'
import { idGenerator } from './platform/ids.ts'
import type { JobDefinition, Schedule } from './platform/jobs/job.ts'
import { createNotifier } from './platform/jobs/notify.ts'
import { createJobRunner } from './platform/jobs/runner.ts'
import { ensureSchedules, scheduleJobs } from './platform/jobs/schedule.ts'
import type { Keyring } from './platform/keys/keyring.ts'
import { createNames, type Names } from './platform/names/names.ts'
import { ownUrlOf } from './platform/network/own-url.ts'
import { publicUrlOf } from './platform/network/public-url.ts'
import { createProvider } from './platform/provider.ts'
import type { SealedColumn } from './platform/sealed/column.ts'
import type { Connections } from './platform/sql/db.ts'
import { foldAllCounts } from './platform/sql/fold-counts.ts'
import type { Clock } from './platform/time/clock.ts'
import { transactions } from './platform/transaction/transaction.ts'
import { createRequestCounter, type RequestCounter } from './rate-limits/count-request.ts'
import type { OutboundSms, SmsProvider } from './sms/provider.ts'
import { captureProvider as captureSmsProvider } from './sms/providers/capture.ts'
import { smsProviders } from './sms/providers/registry.ts'
import { refuseStaleLogin } from './teams/refuse-stale-login.ts'
import { refuseRole } from './teams/roles/refuse-role.ts'
import type { OutboundWhatsapp, WhatsappProvider } from './whatsapp/provider.ts'
import { captureProvider as captureWhatsappProvider } from './whatsapp/providers/capture.ts'
import { whatsappProviders } from './whatsapp/providers/registry.ts'

/** All columns that are encrypted with APP_SECRET. */
export const sealedColumns: SealedColumn[] = features.flatMap((feature) => feature.sealed ?? [])

/** Our own API. The routes of dialects are beside it. */
export const routes: Route[] = features.flatMap((feature) => feature.routes ?? [])

/** The parts that differ between the server, the tests and the command line. */
export type AppParts = {
  config: Config
  clock: Clock
  log: Logger
  connections: Connections
  keyring: Keyring
  generateDkimKeys: App['generateDkimKeys']
  /** In place of the usual one. */
  passwordCost?: App['passwordCost']
  /** Replaces the configured one. */
  emailProvider?: EmailProvider
  smsProvider?: SmsProvider
  whatsappProvider?: WhatsappProvider
  payments?: PaymentsProvider
  /** Replaces the default, which trusts the usual certificate authorities. */
  egress?: Egress
}

export type RunningApp = {
  app: App
  server: FastifyInstance
  /** Refuses requests with 503 from now on, and reports not ready. */
  drain(): void
  /** Ends everything in order. Work in flight has `graceMs`. The caller closes the database. */
  close(graceMs: number): Promise<void>
  /** Opens the listeners other than HTTP that belong to the process's roles. Returns their ports by name. */
  openDoors(): Promise<Record<string, number>>
  /** Says why the Redis of `REDIS_URL` cannot be reached, within two seconds; null if it can, or if there is none. */
  redisFault(): Promise<string | null>
}

export async function createApp(parts: AppParts): Promise<RunningApp> {
  let draining = false
  const counter = await createRequestCounter(parts.config)
  const app = assemble(
    parts,
    counter,
    () => draining,
    () => server.server.address(),
  )
  const dialects = features.flatMap((feature) => feature.dialect ?? [])
  const ours = [...routes, ...dialects.flatMap((dialect) => dialect.routes)]
  const served = parts.config.roles.includes('api') ? ours : health.routes!
  const server = await createServer({
    app,
    routes: served,
    dialects,
    identify,
    refuseRole,
    refuseStaleLogin,
    countRequest: counter.count,
    isPastLimit: counter.isPast,
    noteChange,
  })
  if (parts.config.roles.includes('worker')) await ensureSchedules(app, allSchedules())
  const doors: OpenDoor[] = []
  return {
    app,
    server,
    redisFault: counter.redisFault,
    drain() {
      draining = true
    },
    async close(graceMs) {
      draining = true
      await Promise.all([closeServer(server, graceMs), ...doors.map((door) => door.close(graceMs))])
      await app.jobs.stop(graceMs)
      for (const feature of features) await feature.stop?.(app)
      for (const { live } of Object.values(app.providers)) await live.close()
      await app.payments.close()
      await app.egress.close()
      await counter.close()
    },
    async openDoors() {
      const ports: Record<string, number> = {}
      if (!parts.config.roles.includes('smtp')) return ports
      for (const { name, open } of features.flatMap((feature) => feature.doors ?? [])) {
        const door = await open(app)
        if (!door) continue
        doors.push(door)
        ports[name] = door.port
      }
      return ports
    },
  }
}

function allSchedules(): Schedule[] {
  const folding = foldAllCounts(features.map((feature) => feature.folds ?? []))
  return [folding, ...features.flatMap((feature) => feature.schedules ?? [])]
}

function assemble(
  parts: AppParts,
  counter: RequestCounter,
  isDraining: () => boolean,
  openedAt: Parameters<typeof publicUrlOf>[1],
): App {
  const { config, clock, log, keyring } = parts
  const { db, pool, lastRefusedWrite } = parts.connections
  const newId = idGenerator()
  const names = createNames({ servers: config.dnsServers })
  const allSubscriptions = features.flatMap((feature) => feature.subscriptions ?? [])
  const subscriptions = subscribersOf(allSubscriptions, config)
  const definitions: JobDefinition[] = [
    ...features.flatMap((feature) => feature.jobs ?? []),
    ...scheduleJobs(allSchedules()),
  ]
  const jobs = createJobRunner({
    app: () => app,
    definitions,
    leaseMs: parts.config.jobLeaseMs,
    onWake: createNotifier(db),
  })
  const publicUrl = publicUrlOf(config, openedAt)
  const app: App = {
    config,
    clock,
    log,
    db,
    lastRefusedWrite,
    keyring,
    jobs,
    countRequest: (caller, address) => counter.count(app, caller, address),
    isDraining,
    publicUrl,
    ownUrl: ownUrlOf(config, openedAt, publicUrl),
    newId: () => newId(clock.now()),
    generateDkimKeys: parts.generateDkimKeys,
    passwordCost: parts.passwordCost ?? usualPasswordCost,
    names,
    egress: parts.egress ?? createEgress({ allow: config.outboundAllow, resolve: names.resolve }),
    transaction: transactions({ pool, clock, newId, keyring, jobs: () => jobs, subscriptions }),
    payments: parts.payments ?? createProvider(paymentsProviders, config.paymentsProvider, { config, app: () => app }),
    providers: providersOf(parts, names, () => app),
  }
  return app
}

function providersOf(parts: AppParts, names: Names, app: () => App): App['providers'] {
  const given = { ...parts, names }
  const email = { ...given, store: (message: OutboundMessage) => storeInboxMessage(app(), message) }
  const sms = { ...given, store: (message: OutboundSms) => storeInboxSms(app(), message) }
  const whatsapp = { ...given, store: (message: OutboundWhatsapp) => storeInboxWhatsapp(app(), message) }
  const { emailProvider, smsProvider, whatsappProvider } = parts.config
  return {
    email: {
      live: parts.emailProvider ?? createProvider(emailProviders, emailProvider, email),
      test: captureProvider(email),
    },
    sms: { live: parts.smsProvider ?? createProvider(smsProviders, smsProvider, sms), test: captureSmsProvider(sms) },
    whatsapp: {
      live: parts.whatsappProvider ?? createProvider(whatsappProviders, whatsappProvider, whatsapp),
      test: captureWhatsappProvider(whatsapp),
    },
  }
}
