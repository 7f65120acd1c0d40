import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { windowHeaders } from './overload/admit.ts'
import type { HttpParts } from './parts.ts'

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** How long running requests on a connection may delay the refusal of the garbage after them. */
const answerWaitMs = 10_000

/** Answers requests that Node refuses with the headers and the body of every other refusal. */
export function answerBrokenProtocol(server: Server, parts: HttpParts): void {
  const exchanges = new WeakMap<Socket, Set<Exchange>>()
  server.on('request', (request, response) => {
    const exchange = { request, response }
    const open = exchanges.get(request.socket) ?? new Set()
    exchanges.set(request.socket, open.add(exchange))
    response.once('close', () => open.delete(exchange))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const refusal = refusals[error.code ?? ''] ?? malformed
    answer(parts, socket, refusal, exchanges.get(socket)).catch(() => socket.destroy())
  })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answer(parts, socket, noTunnel).catch(() => socket.destroy())
  })
  // RFC 9110, 10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

type ProtocolRefusal = { status: string; name: string; message: string; headers?: string[] }

const malformed: ProtocolRefusal = {
  status: '400 Bad Request',
  name: 'validation_error',
  message: 'This is not an HTTP request that can be read.',
}
const noTunnel: ProtocolRefusal = {
  status: '405 Method Not Allowed',
  name: 'method_not_allowed',
  message: 'This is no proxy.',
  headers: ['Allow: GET, HEAD, POST, PATCH, DELETE'],
}
const refusals: Record<string, ProtocolRefusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    name: 'validation_error',
    message: 'URL and headers together may have 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    name: 'request_timeout',
    message: 'The request took too long to arrive.',
  },
}

async function answer(parts: HttpParts, socket: Socket, refusal: ProtocolRefusal, open?: Set<Exchange>): Promise<void> {
  const address = socket.remoteAddress
  if (!address || !socket.writable) return void socket.destroy()
  // Requests before the garbage are answered first. A request whose body is the garbage is not complete.
  const earlier = [...(open ?? [])].filter(({ request }) => request.complete)
  const signal = AbortSignal.timeout(answerWaitMs)
  await Promise.allSettled(earlier.map(({ response }) => once(response, 'close', { signal })))
  const window = await parts.countRequest(parts.app, null, address)
  const status = refusal.status.slice(0, 3)
  const body = JSON.stringify({ status_code: Number(status), name: refusal.name, message: refusal.message })
  const head = [
    `HTTP/1.1 ${refusal.status}`,
    `X-Request-Id: ${parts.app.newId()}`,
    ...Object.entries(windowHeaders(window)).map(([name, value]) => `${name}: ${value}`),
    ...(refusal.headers ?? []),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
