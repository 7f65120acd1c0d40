import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Io } from '../../cli/src/io.ts'
import { run } from '../../cli/src/run.ts'
import { commands } from '../../src/cli/commands.ts'
import { sharedTestApp, type TestApp, type TestTeam } from '../app.ts'
import { fetchFrom } from '../sdk/server.ts'

export type Ended = { code: number; stdout: string; stderr: string }

/** What stands around a command: pipes without content, and no terminal, if left out. */
export type Around = {
  env?: Record<string, string>
  /** What comes by a pipe. Null is a terminal. */
  stdin?: string | null
  /** What a person at a terminal answers to each question. */
  answers?: string[]
  isTerminal?: boolean
  /** The server. That of the app if left out. */
  fetch?: typeof fetch
}

export type CommandLine = {
  app: TestApp
  team: TestTeam
  folder: string
  /** Runs a command with the key of the team. */
  run(...args: string[]): Promise<Ended>
  runIn(around: Around, ...args: string[]): Promise<Ended>
  /** Runs a command with `--json`. Returns the document on stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as programs do, without our types
  json(...args: string[]): Promise<any>
}

/** Returns the commands of a new team, in this process and against a server without a network. */
export async function newCommandLine(): Promise<CommandLine> {
  const app = await sharedTestApp()
  const team = await app.team()
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-cli-'))
  after(() => rmSync(folder, { recursive: true }))
  const ordinary = { XDG_CONFIG_HOME: folder, POSTHORN_API_KEY: team.key }
  async function runIn(around: Around, ...args: string[]) {
    const { env = ordinary, stdin = '', answers = [], isTerminal = false, fetch = fetchFrom(app) } = around
    const [out, err]: [Buffer[], string[]] = [[], []]
    const left = [...answers]
    const io: Io = {
      env: { XDG_CONFIG_HOME: folder, ...env },
      out: (text) => void out.push(Buffer.from(text)),
      err: (text) => void err.push(text),
      outIsTerminal: isTerminal,
      canAsk: answers.length > 0,
      ask: async (question) => {
        err.push(question)
        return left.shift() ?? ''
      },
      stdin: stdin === null ? null : bytesOf(stdin),
      fetch,
      localNames,
    }
    const code = await run(args, io)
    return { code, stdout: Buffer.concat(out).toString('utf8'), stderr: err.join('') }
  }
  return {
    app,
    team,
    folder,
    runIn,
    run: (...args) => runIn({}, ...args),
    async json(...args) {
      const { code, stdout, stderr } = await runIn({}, ...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}

export async function localNames(): Promise<string[]> {
  return Object.keys(commands)
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  if (text) yield Buffer.from(text)
}
