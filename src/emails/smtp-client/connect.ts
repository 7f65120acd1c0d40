import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { authenticate, type Credentials } from './authenticate.ts'
import { type Connection, createConnection } from './connection.ts'
import { type Extensions, noExtensions, parseExtensions } from './extensions.ts'
import { type Phase, SmtpFailure } from './failure.ts'
import { formatReply, isPositive, type Reply } from './reply.ts'
import { defaultTimeouts, type Timeouts } from './timeouts.ts'
import { createWire, describe, type Wire } from './wire.ts'

/**
 * `implicit`: TLS from the start. `required`: fails without STARTTLS. `opportunistic`: STARTTLS if it is offered; a
 * failed handshake then fails the connection, and the caller may fall back to plain text over a new one. `none`: plain
 * text.
 */
type TlsMode = 'implicit' | 'required' | 'opportunistic' | 'none'

export type ConnectOptions = {
  host: string
  port: number
  tls: TlsMode
  /** True if the certificate must be valid for `serverName`. */
  verify: boolean
  /** The name for SNI and in the certificate. Defaults to `host`. */
  serverName?: string
  /** The PEM of the authorities to trust instead of the well-known ones. */
  ca?: string
  /** This host's name in EHLO. */
  localName: string
  /** Resolves `host` instead of the system's resolver. */
  lookup?: LookupFunction
  auth?: Credentials
  /** False: each command waits for the answer to the one before, even if the server offers PIPELINING. */
  hasPipelining?: boolean
  timeouts?: Partial<Timeouts>
}

/** Connects, and encrypts and logs in as `options` require. Throws `SmtpFailure`. */
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
        // RFC 3207 4.2: forgets the extensions that were offered in plain text.
        extensions = await sayHello(wire, options.localName, timeouts)
      }
    }
    if (options.auth) await authenticate(wire, extensions, options.auth, timeouts.commandMs)
    if (options.hasPipelining === false) extensions = { ...extensions, pipelining: false }
    return createConnection({ wire, extensions, timeouts, isUsed: false })
  } catch (error) {
    wire.destroy('given up')
    throw error
  }
}

/** The wait before the next address of a name is tried. Node's default of 250 ms is too short for distant hosts. */
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

/** Sends EHLO, or HELO if the server does not know EHLO (RFC 5321 3.2). */
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

/** Encrypts the connection. Returns false if the server refused and encryption is optional. */
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
  // RFC 6066 3: SNI carries names only. An address is still compared with the certificate.
  const sni = isIP(serverName) === 0 ? { servername: serverName } : {}
  const options = { host: serverName, ...sni, rejectUnauthorized: verify, ...(ca === undefined ? {} : { ca }) }
  if (await wire.encrypt(options, timeouts.connectMs)) return
  throw new SmtpFailure('tls', `TLS failed: ${wire.lost?.message}`)
}
