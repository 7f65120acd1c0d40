import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundledServer } from './bundled-server.ts'
import { patienceMs } from './patience.ts'

export const ownLauncher = fileURLToPath(new URL('../bin/posthorn.js', import.meta.url))

export type ServerProcess = {
  url: string
  child: ChildProcess
  /** Everything it has printed. */
  output(): string
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts Posthorn as a process, as its users do, or the copy that `launcher` belongs to; resolves at its `ready` line.
 */
export async function startServer(
  environment: Record<string, string>,
  { launcher = ownLauncher, ...options }: { uid?: number; gid?: number; launcher?: string } = {},
): Promise<ServerProcess> {
  const usual = { PORT: '0', SMTP_PORT: 'off', SMTPS_PORT: 'off', TRIAL: 'on' }
  const loading = launcher === ownLauncher ? await bundledServer() : []
  const child = spawn(process.execPath, [...loading, launcher, 'serve'], {
    env: { PATH: process.env.PATH, ...usual, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  let output = ''
  const exited = once(child, 'exit')
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), patienceMs)
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const match = /ready on (http:\/\/[^"\s]+)/.exec(output)
      if (match) resolve(match[1]!)
    })
  }
  exited.then(([code]) => reject(new Error(`ended with ${code} before it was ready:\n${output}`)))
  ready.finally(() => clearTimeout(timer)).catch(() => undefined)
  return {
    url: await ready,
    child,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}

/** Runs `posthorn` with these words on the data of an installation. Returns what it prints. */
export async function runCommand(dataDir: string, ...words: string[]): Promise<string> {
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const args = [...(await bundledServer()), ownLauncher, ...words]
  return (await promisify(execFile)(process.execPath, args, { env: environment })).stdout
}
