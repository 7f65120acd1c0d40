import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { authenticate, type Credentials } from './authenticate.ts'
import { type Connection, createConnection } from './connection.ts'
import { type Extensions, noExtensions, parseExtensions } from './extensions.ts'
import { type Phase, SmtpFailure } from './failure.ts'
import { formatReply, isPositive, type Reply } from './reply.ts'
import { defaultTimeouts, type Timeouts } from './timeouts.ts'
import { createWire, describe, type Wire } from './wire.ts'

/**
 * `implicit`: TLS before anything else. `required`: STARTTLS or nothing. `opportunistic`: STARTTLS where it is offered, and
 * then it has to succeed: falling back to plain text over a new connection is the caller's choice. `none`: plain text.
 */
export type TlsMode = 'implicit' | 'required' | 'opportunistic' | 'none'

export type ConnectOptions = {
  host: string
  port: number
  tls: TlsMode
  /** Whether the certificate must be valid for `serverName`. */
  verify: boolean
  /** The name in SNI and certificate; `host` where left out. */
  serverName?: string
  /** PEM of the authorities to trust in place of the well-known ones. */
  ca?: string
  /** What EHLO says this host is called. */
  localName: string
  /** Looks up `host`, in place of the system's resolver. */
  lookup?: LookupFunction
  auth?: Credentials
  timeouts?: Partial<Timeouts>
}

/** A connection that has been greeted, encrypted and logged in as far as `options` want it; throws `SmtpFailure`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const wire = createWire(await openSocket(options, timeouts.connectMs))
  try {
    if (options.tls === 'implicit') await encrypt(wire, options, timeouts)
    const greeting = await answer(wire, 'greeting', wire.ask(timeouts.greetingMs))
    if (greeting.code !== 220) throw refusal('greeting', 'the server turned the connection away', greeting)
    let extensions = await sayHello(wire, options.localName, timeouts)
    if (options.tls === 'required' || (options.tls === 'opportunistic' && extensions.starttls)) {
      if (await startTls(wire, extensions, options, timeouts)) {
        // RFC 3207 4.2: whatever was said in the clear is forgotten.
        extensions = await sayHello(wire, options.localName, timeouts)
      }
    }
    if (options.auth) await authenticate(wire, extensions, options.auth, timeouts.commandMs)
    return createConnection({ wire, extensions, timeouts, needsReset: false })
  } catch (error) {
    wire.destroy('given up')
    throw error
  }
}

/** Between the addresses of one name; Node's own 250 ms give up on hosts that are merely far away. */
const nextAddressAfterMs = 2000

function openSocket({ host, port, lookup }: ConnectOptions, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const family = { autoSelectFamilyAttemptTimeout: nextAddressAfterMs }
    const socket = connectTcp({ host, port, ...family, ...(lookup && { lookup }) })
    const fail = (message: string) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new SmtpFailure('connect', message))
    }
    const timer = setTimeout(fail, timeoutMs, `no connection within ${timeoutMs / 1000} s`).unref()
    const onError = (error: Error) => fail(describe(error))
    socket.once('error', onError).once('connect', () => {
      clearTimeout(timer)
      socket.off('error', onError)
      resolve(socket)
    })
  })
}

async function answer(wire: Wire, phase: Phase, reply: Promise<Reply | null>): Promise<Reply> {
  const given = await reply
  if (!given) throw new SmtpFailure(phase, wire.lost?.message ?? '', wire.lost?.reply)
  return given
}

function refusal(phase: Phase, what: string, reply: Reply): SmtpFailure {
  return new SmtpFailure(phase, `${what}: ${formatReply(reply)}`, reply)
}

/** EHLO, or HELO for a server that does not know it (RFC 5321 3.2). */
async function sayHello(wire: Wire, localName: string, timeouts: Timeouts): Promise<Extensions> {
  wire.write(`EHLO ${localName}\r\n`)
  const extended = await answer(wire, 'hello', wire.ask(timeouts.commandMs))
  if (isPositive(extended)) return parseExtensions(extended)
  if (extended.code < 500) throw refusal('hello', 'the server refused EHLO', extended)
  wire.write(`HELO ${localName}\r\n`)
  const plain = await answer(wire, 'hello', wire.ask(timeouts.commandMs))
  if (!isPositive(plain)) throw refusal('hello', 'the server refused EHLO and HELO', plain)
  return noExtensions
}

/** False where the server refused and encryption is only wished for. */
async function startTls(wire: Wire, extensions: Extensions, options: ConnectOptions, timeouts: Timeouts) {
  if (!extensions.starttls) throw new SmtpFailure('tls', 'the server does not offer STARTTLS')
  wire.write('STARTTLS\r\n')
  const reply = await answer(wire, 'tls', wire.askBeforeTls(timeouts.commandMs))
  if (reply.code !== 220) {
    if (options.tls === 'opportunistic' && reply.code !== 421) return false
    throw refusal('tls', 'the server refused STARTTLS', reply)
  }
  await encrypt(wire, options, timeouts)
  return true
}

async function encrypt(wire: Wire, { host, serverName = host, verify, ca }: ConnectOptions, timeouts: Timeouts) {
  // RFC 6066 3: SNI carries names only; an address is still compared with the certificate.
  const sni = isIP(serverName) === 0 ? { servername: serverName } : {}
  const options = { host: serverName, ...sni, rejectUnauthorized: verify, ...(ca === undefined ? {} : { ca }) }
  if (await wire.encrypt(options, timeouts.connectMs)) return
  throw new SmtpFailure('tls', `TLS failed: ${wire.lost?.message}`)
}
