import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'

/**
 * `npm test`: every `*.test.ts`, on an embedded PostgreSQL made for this run, or on the server of TEST_DATABASE_URL.
 * `--slow`: the slow and hostile ones (`*.slow.test.ts`) instead. Names of files as arguments: only these.
 */
const slow = process.argv.includes('--slow')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

async function testFiles(): Promise<string[]> {
  if (named.length > 0) return named
  const all = await Array.fromAsync(glob('{src,test}/**/*.test.ts'))
  return all.filter((file) => file.endsWith('.slow.test.ts') === slow).sort()
}

/** Nothing of a test's database outlives the run, so it need not survive a power cut. */
const settings = {
  fsync: 'off',
  autovacuum: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}

async function withServer(run: (url: string | undefined) => Promise<number>): Promise<number> {
  if (process.env.TEST_DATABASE_URL) return run(process.env.TEST_DATABASE_URL)
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  // Run by root, the database is an ordinary user's, who must get there.
  chmodSync(dataDir, 0o711)
  const quiet = { info: () => undefined, warn: () => undefined }
  const server = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
  try {
    return await run(dataDir)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function runNode(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: environment })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

/** Loading the product costs a process half a second, so several files share one; each still has its own app and database. */
const filesPerProcess = 8

/**
 * Files that run several test files each. Neighbours in the tree are dealt to different ones, as they tend to be slow
 * together. Tests begin when all files are loaded: those of the first would end, and what it opened be closed, before the
 * next one has told of its own.
 */
function groupFiles(files: string[], folder: string): string[] {
  const groups = Math.ceil(files.length / filesPerProcess)
  return Array.from({ length: groups }, (_, group) => {
    const its = files.filter((_file, index) => index % groups === group)
    const lines = [
      "import { before } from 'node:test'",
      'const { promise, resolve } = Promise.withResolvers()',
      'before(() => promise)',
      ...its.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)})`),
      'resolve()',
    ]
    const path = join(folder, `group-${group}.mjs`)
    writeFileSync(path, lines.join('\n'))
    return path
  })
}

const files = await testFiles()
const groupsFolder = mkdtempSync(join(tmpdir(), 'posthorn-tests-'))
process.on('exit', () => rmSync(groupsFolder, { recursive: true, force: true }))
process.exitCode = await withServer((place) => {
  const concurrency = slow ? 1 : availableParallelism()
  const options = ['--test', `--test-concurrency=${concurrency}`, '--test-timeout=300000', '--test-reporter=spec']
  const shared = slow || named.length > 0 ? files : groupFiles(files, groupsFolder)
  return runNode([...options, ...shared], {
    ...process.env,
    TEST_SERVER: place,
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: join(tmpdir(), 'posthorn-test-compiled'),
  })
})
