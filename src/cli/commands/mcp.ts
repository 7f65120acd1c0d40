import { readArguments } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'

const options = {
  'read-only': 'flag',
  toolsets: 'text',
  from: 'text',
  'allow-to': 'text',
  key: 'text',
  url: 'text',
} as const

type Message = { id?: string | number; method?: string; result?: { protocolVersion?: string }; jsonrpc?: string }
type Connection = { url: URL; key: string; protocolVersion: string | null }

/**
 * Passes the messages of a program that started this command on to `POST /mcp`, and its answers back: one JSON document
 * a line on stdin and stdout. The server applies the rules, so that no message can change them.
 */
export async function mcpCommand(args: string[]): Promise<void> {
  const connection = readConnection(args)
  const pending = new Set<Promise<void>>()
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue
    const passing: Promise<void> = pass(connection, line).finally(() => pending.delete(passing))
    pending.add(passing)
  }
  await Promise.all(pending)
}

function readConnection(args: string[]): Connection {
  const given = readArguments(args, { options }).options
  const key = given.key ?? process.env.POSTHORN_API_KEY
  if (!key) throw new UsageError('Give an API key with --key, or in POSTHORN_API_KEY.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('The API key has a character that no key has.')
  const base = given.url ?? process.env.POSTHORN_URL ?? 'http://localhost:3000'
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) {
    throw new UsageError(`The URL of the server begins with http:// or https://; it was "${base}".`)
  }
  const url = new URL(`${base.replace(/\/+$/, '')}/mcp`)
  const { 'read-only': readOnly, 'allow-to': allowTo, toolsets, from } = given
  const rules = { read_only: readOnly && 'true', toolsets, from, allow_to: allowTo }
  for (const [name, value] of Object.entries(rules)) if (value !== undefined) url.searchParams.set(name, value)
  return { url, key, protocolVersion: null }
}

/** Splits at line feeds only: JSON may hold the other characters that end lines. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  input.setEncoding('utf8')
  let rest: string[] = []
  for await (const chunk of input as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    rest.push(first)
    for (const next of others) {
      yield rest.join('')
      rest = [next]
    }
  }
  yield rest.join('')
}

async function pass(connection: Connection, line: string): Promise<void> {
  const { id } = readMessage(line) ?? {}
  try {
    const { status, text } = await post(connection, line)
    const answer = readMessage(text)
    if (status < 300 && text === '') return
    if (answer?.jsonrpc === undefined) return fail(id, refusalOf(status, text))
    connection.protocolVersion ??= answer.result?.protocolVersion ?? null
    write({ ...answer, ...(id !== undefined && { id }) })
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    fail(id, `${connection.url.origin} cannot be reached: ${cause?.message || message}`)
  }
}

async function post(
  { url, key, protocolVersion }: Connection,
  body: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    // A key goes to the named server only.
    redirect: 'error',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(protocolVersion && { 'mcp-protocol-version': protocolVersion }),
    },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

function readMessage(text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' ? (message as Message | null) : null
  } catch {
    return null
  }
}

function refusalOf(status: number, text: string): string {
  const { name = `status ${status}`, message = 'the server did not answer as Posthorn does' } = (readMessage(text) ??
    {}) as { name?: string; message?: string }
  return `${name}: ${message}`
}

const serverError = -32000 // JSON-RPC 2.0, 5.1

/** Answers a request with a fault. Stdout holds the protocol only, so a person reads it on stderr. */
function fail(id: Message['id'], message: string): void {
  process.stderr.write(`posthorn mcp: ${message}\n`)
  if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code: serverError, message } })
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
