import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request } from 'undici'

export type Posthorn = {
  url: string
  pid: number
  /** From the start of the process to the first 200 of `/ready`. */
  readyMs: number
  /** The sandbox team's key, which the first start prints. Null at a later start. */
  key: string | null
  /** The link that signs a browser in, printed with the key. */
  startLink: string | null
  /** Runs a command such as `team list` on the same data; resolves with its output. */
  command(...words: string[]): Promise<string>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../bin/posthorn.js', import.meta.url))
const readyWithinMs = 60_000

/** Starts our server as a separate process, as users do, with its database in `dataDir`. */
export async function startPosthorn(dataDir: string, environment: Record<string, string> = {}): Promise<Posthorn> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    ...{ SMTP_PORT: 'off', SMTPS_PORT: 'off', TRIAL: 'on', ...environment },
  }
  const isFirst = !existsSync(join(dataDir, 'app.secret'))
  const started = performance.now()
  // Such as --cpu-prof, which shows where the time goes.
  const args = [...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []), program, 'serve']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  let readyMs: number
  let key: string | null
  try {
    await untilReady(url, () => child.exitCode)
    readyMs = performance.now() - started
    key = isFirst ? await printedKey(() => printed) : null
  } catch (error) {
    child.kill('SIGTERM')
    throw error
  }
  return {
    url,
    pid: child.pid!,
    readyMs,
    key,
    startLink: /http\S+\/app\/start#\S+/.exec(printed)?.[0] ?? null,
    command: async (...words) =>
      (await promisify(execFile)(process.execPath, [program, ...words], { env: { ...env, PORT: '0' } })).stdout,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  return address.port
}

const pollMs = 5

async function untilReady(url: string, exitCode: () => number | null): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  while (performance.now() < deadline) {
    const status = await request(`${url}/ready`).then(
      async ({ statusCode, body }) => {
        await body.dump()
        return statusCode
      },
      () => null,
    )
    if (status === 200) return
    if (exitCode() !== null) throw new Error(`Posthorn ended with ${exitCode()} before it was ready.`)
    await sleep(pollMs)
  }
  throw new Error(`Posthorn was not ready within ${readyWithinMs / 1000} s.`)
}

/** A first start prints its key a moment after it is ready. */
async function printedKey(printed: () => string): Promise<string> {
  for (let waits = 0; waits < 1000; waits++) {
    const key = /API key\s+(ph_\w+)/.exec(printed())?.[1]
    if (key) return key
    await sleep(10)
  }
  throw new Error('Posthorn printed no API key at its first start.')
}

const plenty = 999_999_999

/** Raises the limits of the sandbox team, so that they do not affect the measurement. Returns the team's id. */
export async function liftLimits(posthorn: Posthorn): Promise<string> {
  const team = (await posthorn.command('team', 'list')).split('\n').find((line) => line.endsWith('\tSandbox'))
  const id = team?.split('\t')[0]
  if (!id) throw new Error('There is no sandbox team.')
  const limits = ['emailsPerSecond', 'dailyEmailLimit', 'apiRequestsPerMinute', 'batchSize']
  await posthorn.command('team', 'set-limits', id, ...limits.map((limit) => `${limit}=${plenty}`))
  return id
}
