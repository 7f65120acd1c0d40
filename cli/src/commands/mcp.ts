import { parseExactly } from '../../../src/platform/numbers/exact-number.ts'
import type { Call } from '../call.ts'
import type { Connection as Server } from '../connection.ts'
import { Failure, keyFailure, withoutKeys } from '../failure.ts'
import type { Io } from '../io.ts'
import { visible } from '../output/visible.ts'

type Message = { id?: string | number; method?: string; result?: { protocolVersion?: string }; jsonrpc?: string }
type Connection = { url: URL; key: string; protocolVersion: string | null; io: Io }

/**
 * Passes the messages of a program that started this command on to `POST /mcp`, and its answers back: one JSON document
 * a line on stdin and stdout. The server applies the rules, so that no message can change them.
 */
export async function passMcp(call: Call): Promise<undefined> {
  const connection = connectionTo(call)
  const pending = new Set<Promise<void>>()
  for await (const line of linesOf(call.io.stdin ?? process.stdin)) {
    if (line.trim() === '') continue
    const passing: Promise<void> = pass(connection, line).finally(() => pending.delete(passing))
    pending.add(passing)
  }
  await Promise.all(pending)
}

function connectionTo(call: Call): Connection {
  const { values, io } = call
  const { url: base, key } = serverOf(call)
  const url = new URL(`${base}/mcp`)
  const { toolsets, from, 'read-only': readOnly, 'allow-to': allowTo } = values
  const rules = { read_only: readOnly === true ? true : undefined, toolsets, from, allow_to: allowTo }
  for (const [name, value] of Object.entries(rules)) if (value !== undefined) url.searchParams.set(name, String(value))
  return { url, key, protocolVersion: null, io }
}

/** An AI client is set up by a person, who gives the key in its settings. */
function serverOf(call: Call): Server {
  try {
    return call.connection()
  } catch (error) {
    if (!(error instanceof Failure) || error.name !== 'no_key') throw error
    throw keyFailure(`Give an API key with --key, or in POSTHORN_API_KEY. ${error.message}`)
  }
}

/** Splits at line feeds only: JSON may hold the other characters that end lines. */
async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const bytes of input) {
    const chunk = typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })
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
    if (answer?.jsonrpc === undefined) return fail(connection.io, id, refusalOf(status, text))
    connection.protocolVersion ??= answer.result?.protocolVersion ?? null
    write(connection.io, { ...answer, ...(id !== undefined && { id }) })
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    fail(connection.io, id, `${connection.url.origin} cannot be reached: ${cause?.message || message}`)
  }
}

async function post(
  { url, key, protocolVersion, io }: Connection,
  body: string,
): Promise<{ status: number; text: string }> {
  const answer = await (io.fetch ?? fetch)(url, {
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
    const message = parseExactly(text)
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
function fail(io: Io, id: Message['id'], told: string): void {
  const message = withoutKeys(told)
  io.err(`posthorn mcp: ${visible(message)}\n`)
  if (id !== undefined) write(io, { jsonrpc: '2.0', id, error: { code: serverError, message } })
}

function write(io: Io, message: object): void {
  io.out(`${JSON.stringify(message)}\n`)
}
