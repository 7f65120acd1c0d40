import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'

/** The world of a command: its streams and its environment. Tests give their own. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  /** Writes to stdout, which holds the result only. */
  out(text: string | Uint8Array): void
  /** Writes to stderr: faults, questions and hints. */
  err(text: string): void
  /** Stdout is a terminal. */
  outIsTerminal: boolean
  /** Stdin and stderr are a terminal, so a person can be asked. */
  canAsk: boolean
  /** Asks a person. A secret is not shown while it is typed. */
  ask(question: string, options?: { secret?: boolean }): Promise<string>
  /** The bytes of stdin. Null if it is a terminal. */
  stdin: AsyncIterable<Uint8Array> | null
  /** Loads the names of the commands of the server's own machine, which are in `src/cli/`. */
  localNames: LocalNames
  /** Takes the place of the global `fetch`. */
  fetch?: typeof fetch
  /** Ends a command that goes on. A process is ended by its signals instead. */
  signal?: AbortSignal
}

/** Few cases need the names, and loading them takes a moment. */
export type LocalNames = () => Promise<string[]>

/** The streams of this process. */
export function processIo(localNames: LocalNames): Io {
  const { stdin, stdout, stderr } = process
  // The reader of a pipe, such as `head`, may leave before the end.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  return {
    env: process.env,
    localNames,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outIsTerminal: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    ask: (question, options) => askOn({ input: stdin, output: stderr }, question, options),
    get stdin() {
      return stdin.isTTY ? null : stdin
    },
  }
}

/**
 * Asks a question on a terminal. The answer to a secret one is not shown: the terminal echoes nothing while a line is
 * edited.
 */
export async function askOn(
  { input, output }: { input: Readable; output: Writable },
  question: string,
  { secret = false }: { secret?: boolean } = {},
): Promise<string> {
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() })
  const lines = createInterface({ input, output: secret ? nowhere : output, terminal: true })
  lines.once('SIGINT', () => process.exit(130))
  // The end of the input is no answer.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  if (secret) output.write(question)
  const answer = await Promise.race([lines.question(secret ? '' : question), ended]).finally(() => lines.close())
  if (secret) output.write('\n')
  return answer.trim()
}

/** Reads all of stdin as text. Empty if it is a terminal. */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  if (!stdin) return ''
  const parts: Uint8Array[] = []
  for await (const part of stdin) parts.push(part)
  return withoutMark(Buffer.concat(parts).toString('utf8'))
}

/** Drops the byte order mark, which editors and shells of Windows write in front of a text. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}
