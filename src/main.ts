import { type AppParts, createApp, type RunningApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { canOpenSigningKeys } from './domains/check-secret.ts'
import { generateDkimKeys } from './domains/dkim-keys.ts'
import { systemClock } from './platform/clock.ts'
import { ConfigError, refuseVariable } from './platform/environment/read.ts'
import { listenForWork } from './platform/jobs/notify.ts'
import { createKeyring } from './platform/keyring.ts'
import { createLog } from './platform/log.ts'
import { derivedSecret, generatedSecret } from './platform/secrets.ts'
import { syncClock } from './platform/sync-clock.ts'
import { quickstart } from './quickstart.ts'
import { openStorage, type Storage } from './storage.ts'

/** Of the ten seconds a stop may take, the last two are for closing what is left. */
const graceMs = 8000
const stopMaxMs = 9800
const syncClockMs = 60_000

/** Runs the process until it is told to stop. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = await createLog(config.logLevel)
  const stop = stopSignal()
  const storage = await openStorage(config, log)
  try {
    await runUntil(stop, config, log, storage)
  } finally {
    await storage.close()
  }
  log.info('stopped')
}

async function runUntil(stop: Promise<void>, config: Config, log: AppParts['log'], storage: Storage): Promise<void> {
  const running = await createApp(await assembleParts(config, log, storage))
  try {
    const url = await listen(running, config)
    const ports = await running.openDoors()
    const stopWork = startWork(running, config, storage)
    await quickstart(running.app, storage, url)
    warnOfSandbox(config, log)
    log.info({ url, ports, roles: config.roles, emailProvider: config.emailProvider }, `ready on ${url}`)
    await stop
    log.info('stopping')
    // Whatever hangs, a frozen database say, the process ends: what was in flight is taken over by leases.
    setTimeout(() => process.exit(0), stopMaxMs).unref()
    await stopWork()
  } finally {
    await running.close(graceMs)
  }
}

/** What commands need too: the app without its doors. */
export async function assembleParts(config: Config, log: AppParts['log'], storage: Storage): Promise<AppParts> {
  const clock = systemClock()
  await syncClock(storage.connections.db, clock)
  setInterval(() => syncClock(storage.connections.db, clock).catch(() => undefined), syncClockMs).unref()
  if (!config.appSecret && config.databaseUrl) {
    log.warn(
      'APP_SECRET is not set: this process made its own in DATA_DIR. Several processes on one database must share one.',
    )
  }
  const keyring = createKeyring(config.appSecret ?? generatedSecret(storage.dataDir, 'app'))
  if (!(await canOpenSigningKeys(storage.connections.db, keyring))) {
    throw new ConfigError(
      'APP_SECRET must be the one this database was first used with: what it encrypted cannot be read.',
    )
  }
  const secrets = {
    stripeWebhookSecret: config.stripeWebhookSecret ?? derivedSecret(storage.dataDir, 'stripe-webhook', keyring),
    whatsappWebhookSecret: config.whatsappWebhookSecret ?? derivedSecret(storage.dataDir, 'whatsapp-webhook', keyring),
  }
  const complete = Object.freeze({ ...config, ...secrets })
  return { config: complete, clock, log, connections: storage.connections, keyring, generateDkimKeys }
}

function warnOfSandbox({ production, paymentsProvider }: Config, log: AppParts['log']): void {
  if (!production || paymentsProvider !== 'sandbox') return
  log.warn(
    'PAYMENTS_PROVIDER is sandbox: nothing is charged, and whoever has a full_access key may take any plan. A service with customers sets it to stripe.',
  )
}

async function listen({ app, server }: RunningApp, { port, host }: Config): Promise<string> {
  await server.listen({ port, host }).catch((error) => refuseAddress(error, port, host))
  return app.publicUrl()
}

function refuseAddress(error: NodeJS.ErrnoException, port: number, host: string): never {
  if (error.code === 'EADDRINUSE')
    refuseVariable('PORT', `free on ${host}; something listens there already`, String(port))
  if (error.code === 'EACCES') refuseVariable('PORT', 'one this user may open', String(port))
  if (['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? '')) {
    refuseVariable('HOST', 'an address of this machine', host)
  }
  throw error
}

function startWork({ app }: RunningApp, config: Config, storage: Storage): () => Promise<void> {
  if (!config.roles.includes('worker')) return async () => undefined
  app.jobs.start()
  const listener = config.databaseUrl ? listenForWork(storage.connection, () => app.jobs.wake()) : null
  return async () => listener?.close()
}

/**
 * Resolves at the first SIGTERM or SIGINT. More of them change nothing: npm passes on what a terminal has sent already.
 * `npm start` runs us under a shell that dies of a signal without passing it on, so there the parent's end counts too.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && resolve(), 500).unref()
  })
}
