import { type AppParts, createApp, type RunningApp, sealedColumns } from './app.ts'
import { readConfig } from './config.ts'
import type { Config } from './context.ts'
import { prepareDashboard } from './dashboard/current.ts'
import { generateDkimKeys } from './domains/dkim/dkim-keys.ts'
import { listenForHints, tellOtherProcesses } from './live/across.ts'
import { idGenerator } from './platform/ids.ts'
import { endLeasesBefore } from './platform/jobs/leases.ts'
import { listenForWork } from './platform/jobs/notify.ts'
import type { Keyring } from './platform/keys/keyring.ts'
import { derivedSecret, derivedSecrets, generatedSecret } from './platform/keys/secrets.ts'
import { createLog } from './platform/log/log.ts'
import { refuseListening } from './platform/network/refuse-listening.ts'
import { openKeyring } from './platform/stored-keys/open.ts'
import { systemClock } from './platform/time/clock.ts'
import { clockKeeper, syncClock } from './platform/time/sync-clock.ts'
import { quickstart } from './quickstart.ts'
import { checkListening } from './start/check-listening.ts'
import { startWarnings } from './start/warnings.ts'
import { openStorage, type Storage } from './storage.ts'

/** A stop may take ten seconds. The last two are for closing what is left. */
const graceMs = 8000
const stopMaxMs = 9800
const lookAtClocksMs = 1000

/** Runs the server until a stop signal. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = await createLog(config)
  const stop = stopSignal()
  // Exits even if something hangs, such as a frozen database, or takes long, such as one that recovers. Leases hand
  // unfinished work to other processes.
  void stop.then(() => setTimeout(() => process.exit(0), stopMaxMs).unref())
  await checkListening(config)
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
    const stopWork = await startWork(running, config, storage)
    const welcome = await quickstart(running.app, storage, url)
    // A person reads the last lines of a terminal. A program waits for the ready line, and has read all of the welcome
    // then.
    const { isTTY } = process.stdout
    if (!isTTY) process.stdout.write(welcome)
    prepareDashboard(running.app)
    log.info({ url, ports, roles: config.roles, emailProvider: config.emailProvider }, `ready on ${url}`)
    if (isTTY) process.stdout.write(welcome)
    await Promise.race([warn(running), stop])
    await stop
    log.info('stopping')
    await stopWork()
  } finally {
    await running.close(graceMs)
  }
}

/** Assembles the app without its listeners. Commands use it too. */
export async function assembleParts(config: Config, log: AppParts['log'], storage: Storage): Promise<AppParts> {
  const clock = systemClock()
  await syncClock(storage.connections.db, clock)
  clock.every(lookAtClocksMs, clockKeeper(storage.connections.db, clock, log))
  const newest = config.appSecret ?? generatedSecret(storage.dataDir, 'app')
  const now = clock.now()
  const newId = idGenerator()
  const keyring = await openKeyring(storage.connections, {
    secrets: [newest, ...config.appSecretPrevious],
    columns: sealedColumns,
    newId: () => newId(now),
    now,
  })
  const complete = Object.freeze({ ...config, ...providerSecrets(config, storage.dataDir, keyring) })
  return { config: complete, clock, log, connections: storage.connections, keyring, generateDkimKeys }
}

/** Derives from APP_SECRET the secrets that providers sign with and that are not set. */
function providerSecrets(config: Config, dataDir: string, keyring: Keyring) {
  const derived = (name: string) => {
    const newest = derivedSecret(dataDir, name, keyring)
    return { newest, older: derivedSecrets(name, keyring).slice(1) }
  }
  const stripe = config.stripeWebhookSecret ? null : derived('stripe-webhook')
  const whatsapp = config.whatsappWebhookSecret ? null : derived('whatsapp-webhook')
  return {
    ...(stripe && { stripeWebhookSecret: stripe.newest, stripeWebhookSecretsPrevious: stripe.older }),
    ...(whatsapp && { whatsappWebhookSecret: whatsapp.newest, whatsappWebhookSecretsPrevious: whatsapp.older }),
  }
}

async function listen({ app, server }: RunningApp, { port, host }: Config): Promise<string> {
  await server
    .listen({ port, host })
    .catch((error) => refuseListening(error, { variable: 'PORT', port, host, hostVariable: 'HOST', mayBeOff: false }))
  return app.publicUrl()
}

/**
 * Logs them after the start's last line, where a person sees them. They are hints, so a failure to find them ends
 * nothing.
 */
async function warn(running: RunningApp): Promise<void> {
  const { log } = running.app
  try {
    for (const warning of await startWarnings(process.env, running)) log.warn(warning)
  } catch (error) {
    log.warn({ err: error }, 'the settings could not be checked for what is likely a mistake')
  }
}

async function startWork({ app }: RunningApp, config: Config, storage: Storage): Promise<() => Promise<void>> {
  const isWorker = config.roles.includes('worker')
  // Jobs of a killed process run at once. Otherwise a restarted server would wait for the end of their leases.
  const { unusedBefore } = storage
  if (isWorker && unusedBefore) await app.transaction((tx) => endLeasesBefore(tx, unusedBefore))
  if (isWorker) app.jobs.start()
  tellOtherProcesses(app)
  const listeners = [
    ...(isWorker && config.databaseUrl ? [listenForWork(storage.connection, () => app.jobs.wake())] : []),
    ...(config.roles.includes('api') ? [listenForHints(storage.connection, app)] : []),
  ]
  return async () => void (await Promise.all(listeners.map((listener) => listener.close())))
}

/**
 * Resolves at the first SIGTERM or SIGINT and ignores repeats, because npm forwards signals that the terminal has
 * already sent. `npm start` runs the server under a shell that exits without forwarding, so the parent's exit counts
 * too.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && resolve(), 500).unref()
  })
}
