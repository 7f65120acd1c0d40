import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ids, runningAs } from '../src/platform/embedded-postgres/account.ts'
import { chooseHome } from '../src/platform/embedded-postgres/choose-home.ts'
import { type Binaries, findBinaries } from '../src/platform/embedded-postgres/find-binaries.ts'
import type { Home } from '../src/platform/embedded-postgres/home.ts'
import { milliseconds } from './format.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { quiet } from './start-postgres.ts'
import { startPosthorn } from './start-posthorn.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const firstExtraMs = 1500
const laterMaxMs = 600
const restMaxMiB = 250
const restSeconds = 10
const pollMs = 5

/** Row 10: how soon a process serves, on an empty DATA_DIR and on a used one, and what it uses when idle. */
export const start: Workload = {
  name: 'start',
  run: (options) => inTemporaryFolder((folder) => measure(options, folder)),
}

type Times = { firstMs: number; laterMs: number; restMiB: number | null }

async function measure({ rounds, quick, say }: Options, folder: string): Promise<Result[]> {
  const restForSeconds = quick ? 1 : restSeconds
  let turn = 0
  const { ours, bare } = await inTurns<'ours' | 'bare', Times>(rounds, {
    async ours() {
      const times = await startOurs(join(folder, `ours-${turn++}`), restForSeconds)
      say(
        `ours: first ${milliseconds(times.firstMs)}, later ${milliseconds(times.laterMs)}, at rest ${inMiB(times.restMiB)}`,
      )
      return times
    },
    async bare() {
      const times = await startBare(join(folder, `bare-${turn++}`))
      say(
        `PostgreSQL: first ${milliseconds(times.firstMs)}, later ${milliseconds(times.laterMs)}, at rest ${inMiB(times.restMiB)}`,
      )
      return times
    },
  })
  return results(ours, bare, restForSeconds)
}

async function startOurs(dataDir: string, restForSeconds: number): Promise<Times> {
  const first = await startPosthorn(dataDir)
  await first.stop()
  const later = await startPosthorn(dataDir)
  await sleep(restForSeconds * 1000)
  const restMiB = await memoryMiB(later.pid)
  await later.stop()
  return { firstMs: first.readyMs, laterMs: later.readyMs, restMiB }
}

/** Runs `initdb` and `postgres` of the same binaries with default settings, until a first query is answered. */
async function startBare(dataDir: string): Promise<Times> {
  const home = await chooseHome(dataDir, quiet)
  const binaries = await findBinaries(home, process.env.PATH ?? '')
  const sockets = join(home.folder, 'sockets')
  for (const folder of [home.cluster, sockets]) {
    await mkdir(folder, { mode: 0o700 })
    if (home.account?.other) await chown(folder, ...ids(home.account))
  }
  const begun = performance.now()
  await runInitdb(home, binaries)
  const first = await launch(home, binaries, sockets)
  const firstMs = performance.now() - begun
  await first.stop()
  const again = performance.now()
  const later = await launch(home, binaries, sockets)
  const laterMs = performance.now() - again
  const restMiB = await memoryMiB(later.pid)
  await later.stop()
  if (!home.folder.startsWith(dataDir)) await rm(home.folder, { recursive: true })
  return { firstMs, laterMs, restMiB }
}

async function runInitdb(home: Home, { initdb }: Binaries): Promise<void> {
  const args = ['-D', home.cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions']
  const child = spawn(initdb, args, { ...runningAs(home.account), stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`initdb ended with ${code}.`)
}

async function launch(home: Home, { postgres }: Binaries, sockets: string) {
  const args = ['-D', home.cluster, '-k', sockets, '-c', 'listen_addresses=']
  const child = spawn(postgres, args, { ...runningAs(home.account), stdio: 'ignore' })
  const exit = once(child, 'exit')
  while (!(await answers(sockets))) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}.`)
    await sleep(pollMs)
  }
  return {
    pid: child.pid!,
    async stop() {
      // SIGINT is the fast shutdown.
      child.kill('SIGINT')
      await exit
    },
  }
}

async function answers(host: string): Promise<boolean> {
  const client = new pg.Client({ host, port: 5432, user: 'postgres', database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function results(ours: Times[], bare: Times[], restForSeconds: number): Result[] {
  const middle = (times: Times[], key: 'firstMs' | 'laterMs') => median(times.map((each) => each[key]))
  const rest = (times: Times[]) =>
    times.some((each) => each.restMiB === null) ? null : median(times.map((each) => each.restMiB!))
  const [first, later, memory] = [middle(ours, 'firstMs'), middle(ours, 'laterMs'), rest(ours)]
  const [bareFirst, bareLater, bareMemory] = [middle(bare, 'firstMs'), middle(bare, 'laterMs'), rest(bare)]
  return [
    {
      ...{ row: '10a', what: 'first start, empty DATA_DIR', ours: milliseconds(first) },
      ...{ reference: `${milliseconds(bareFirst)} initdb + postgres`, ratio: first / bareFirst },
      ...{ target: `<= initdb + ${firstExtraMs} ms`, met: first <= bareFirst + firstExtraMs },
    },
    {
      ...{ row: '10b', what: 'later start', ours: milliseconds(later) },
      ...{ reference: `${milliseconds(bareLater)} postgres`, ratio: later / bareLater },
      ...{ target: `<= ${laterMaxMs} ms`, met: later <= laterMaxMs },
    },
    {
      ...{ row: '10c', what: `memory ${restForSeconds} s after a start, database included`, ours: inMiB(memory) },
      ...{ reference: `${inMiB(bareMemory)} postgres`, ratio: memory && bareMemory ? memory / bareMemory : null },
      ...{ target: `<= ${restMaxMiB} MiB`, met: memory === null ? null : memory <= restMaxMiB, memory: inMiB(memory) },
    },
  ]
}
