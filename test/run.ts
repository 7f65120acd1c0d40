import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../src/platform/embedded-postgres/connection.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { ensureTemplate, onServer, testServerSettings } from './database.ts'
import { compiledFolder, quickFolder } from './folders.ts'
import type { Cost } from './group.ts'
import { patienceMs } from './patience.ts'
import { preparedFolder } from './prepared-folder.ts'
import { type Need, needOf, runQuietly, runSideBySide } from './side-by-side.ts'

/**
 * `npm test`: every `*.test.ts`, on an embedded PostgreSQL made for this run, or on the server of TEST_DATABASE_URL.
 * `--slow`: the `*.slow.test.ts` instead, and of other files the slow tests and the properties, which are declared by
 * `slow.ts`. Paths as arguments: only these files, with their slow part.
 */
const slow = process.argv.includes('--slow')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = process.argv.slice(2).filter((argument) => argument.startsWith('--') && argument !== '--slow')
if (unknown.length > 0) {
  const usage = 'Usage: npm test [-- FILE...]    npm run test:slow'
  process.stdout.write(
    unknown.includes('--help') ? `${usage}\n` : `There is no option ${unknown.join(', ')}. ${usage}\n`,
  )
  process.exit(unknown.includes('--help') ? 0 : 2)
}
const slowestShown = 15
const processes = availableParallelism() + 1

async function testFiles(): Promise<string[]> {
  if (named.length > 0) return named
  // `npm run test:browser` runs those in test/browser, `test:peers` those in test/peers, `test:clients` those in
  // test/clients.
  const found = await Array.fromAsync(glob('{src,test,dashboard/src}/**/*.test.ts'))
  const elsewhere = ['browser', 'clients', 'peers'].map((name) => join('test', name))
  const all = found.filter((file) => !elsewhere.some((folder) => file.startsWith(folder))).sort()
  if (!slow) return inMixedOrder(all.filter((file) => !isSlow(file)))
  const hasSlowPart = (file: string) => /\b(slowTest|propertyTest)\(/.test(readFileSync(file, 'utf8'))
  return all.filter((file) => isSlow(file) || hasSlowPart(file))
}

/**
 * Files of a folder wait for the same things. Far from each other, they leave the time of their waits to other files.
 */
function inMixedOrder(files: string[]): string[] {
  const place = (file: string) => createHash('sha256').update(file).digest('hex')
  return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts')
}

async function withServer(run: (place: string) => Promise<number>): Promise<number> {
  if (process.env.TEST_DATABASE_URL) return run(process.env.TEST_DATABASE_URL)
  const dataDir = mkdtempSync(join(quickFolder(), 'posthorn-test-'))
  // If root runs the tests, the database belongs to an ordinary user, who must be able to enter.
  chmodSync(dataDir, 0o711)
  const quiet = { info: () => undefined, warn: () => undefined }
  const start = () => startEmbeddedPostgres({ dataDir, log: quiet, settings: testServerSettings })
  const prepared = preparedFolder('cluster', testServerSettings)
  const isPrepared = prepared.copyTo(dataDir)
  let server = await start()
  try {
    if (!isPrepared) {
      await makeLoginsQuick(server.connection())
      await onServer(server.connection(), (client) => ensureTemplate(client, server.connection()))
      await server.stop()
      prepared.keep(dataDir)
      server = await start()
    }
    await letTestsEmptyDatabases(server.connection())
    return await run(dataDir)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** To empty a database, tests switch its triggers off, which a superuser allows. */
async function letTestsEmptyDatabases(connection: Connection): Promise<void> {
  await onServer({ ...connection, user: 'postgres', database: 'postgres' }, (client) =>
    client.query(`grant set on parameter session_replication_role to ${client.escapeIdentifier(connection.user)}`),
  )
}

/** Sets the password again with one round of hashing, since a run logs in thousands of times. */
async function makeLoginsQuick(connection: Connection): Promise<void> {
  await onServer(connection, async (client) => {
    await client.query('set scram_iterations = 1')
    await client.query(
      `alter role ${client.escapeIdentifier(connection.user)} password ${client.escapeLiteral(connection.password ?? '')}`,
    )
  })
}

function runNode(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: environment })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** A test process. Processes share `files`: each file is run by the one that claims it first. */
type Plan = { need: Need; files: string[]; isShared: boolean }

/**
 * Loading and compiling the product costs seconds of processor time, so a few processes share the files: one more than
 * cores, as each of them also waits for the database. Files that are named have a process each.
 */
function planQuick(files: string[]): Plan[] {
  if (named.length > 0) return files.map((file) => ({ need: 'computing', files: [file], isShared: false }))
  return sharing(files)
}

/**
 * Files that wait or measure have a process each. The others share some: first the slow files, then those with a slow
 * part, of which a process runs that part only. They divide what is left, and end together.
 */
function planSlow(files: string[]): Plan[] {
  const computes = (file: string) => needOf(file) === 'computing'
  const own = files.filter((file) => !computes(file))
  const shared = files.filter(computes)
  return [
    ...own.map((file) => ({ need: needOf(file)!, files: [file], isShared: false })),
    ...sharing(shared.filter(isSlow)),
    ...sharing(shared.filter((file) => !isSlow(file))),
  ]
}

function sharing(files: string[]): Plan[] {
  return Array.from({ length: Math.min(processes, files.length) }, () => ({ need: 'computing', files, isShared: true }))
}

/** Writes the script of a process. Returns its path. */
function writeScript({ files, isShared }: Plan, index: number, folder: string): string {
  const [trackTests, runGroups, app] = ['track-tests.ts', 'group.ts', 'app.ts'].map((name) =>
    JSON.stringify(new URL(name, import.meta.url).href),
  )
  const path = join(folder, `process-${index}.mjs`)
  const [groups, claims] = [JSON.stringify(inGroups(files)), JSON.stringify(folder)]
  // In its own process a file may run its tests side by side, which `track-tests.ts` cannot tell apart. The second
  // import is dynamic, because it loads node:test.
  const script = [
    ...(isShared ? [`import ${trackTests}`] : []),
    `const { runGroups } = await import(${runGroups})`,
    `const { closeSharedTestApp } = await import(${app})`,
    `await runGroups(${groups}, ${claims}, closeSharedTestApp)`,
  ]
  writeFileSync(path, `${script.join('\n')}\n`)
  return path
}

/**
 * Returns the files in the groups that one process runs: those of the command line share a process that runs the
 * commands.
 */
function inGroups(files: string[]): string[][] {
  const ofCommands = (file: string) => file.startsWith(join('src', 'cli'))
  const others = files.filter((file) => !ofCommands(file)).map((file) => [file])
  const commands = files.filter(ofCommands)
  return commands.length > 0 ? [commands, ...others] : others
}

function printSlowest(folder: string, startedMs: number): void {
  const path = join(folder, 'costs.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const costs = lines.map((line) => JSON.parse(line) as Cost).sort((a, b) => b.wallMs - a.wallMs)
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  if (costs.length > 1) {
    console.log('\nSlowest files: seconds on the clock, seconds of processor time')
    for (const { file, wallMs, cpuMs } of costs.slice(0, slowestShown)) {
      console.log(`${seconds(wallMs).padStart(6)} ${seconds(cpuMs).padStart(6)}  ${file}`)
    }
  }
  const cpuMs = costs.reduce((sum, cost) => sum + cost.cpuMs, 0)
  console.log(
    `\n${costs.length} files, ${seconds(performance.now() - startedMs)} s, ${seconds(cpuMs)} s of processor time`,
  )
}

const startedMs = performance.now()
const files = await testFiles()
const folder = mkdtempSync(join(tmpdir(), 'posthorn-tests-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.exitCode = await withServer((place) => {
  const plans = slow ? planSlow(files) : planQuick(files)
  const scripts = plans.map((plan, index) => writeScript(plan, index, folder))
  const options = [
    '--test',
    `--test-concurrency=${processes}`,
    `--test-timeout=${8 * patienceMs}`,
    '--test-reporter=spec',
  ]
  const environmentOf = (isShared: boolean) => ({
    ...process.env,
    TEST_SERVER: place,
    TEST_SPARE: isShared && !slow ? 'yes' : 'no',
    TEST_SLOW: slow || named.length > 0 ? 'yes' : 'no',
    NODE_ENV: 'test',
    // New objects have more room, so that they are collected less often.
    ...(isShared && { NODE_OPTIONS: '--max-semi-space-size=64' }),
    NODE_COMPILE_CACHE: compiledFolder,
  })
  if (!slow) {
    const isShared = named.length === 0
    return runNode([...options, ...scripts], environmentOf(isShared))
  }
  const works = plans.map(({ need, isShared, files }, index) => {
    const only = files.some(isSlow) ? [] : ['--test-only']
    const args = [...options, ...only, scripts[index]!]
    return { need, run: () => runQuietly(process.execPath, args, environmentOf(isShared)) }
  })
  return runSideBySide(works)
})
printSlowest(folder, startedMs)
