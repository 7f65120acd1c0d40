import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import type { App } from '../../context.ts'
import type { Door, OpenDoor } from '../../platform/feature.ts'
import { createByteBudget } from '../../platform/limits/byte-budget.ts'
import { networkOf } from '../../platform/network/network.ts'
import { refuseListening } from '../../platform/network/refuse-listening.ts'
import { perApp } from '../../platform/per-app.ts'
import { memoryCounter } from '../../rate-limits/memory-counter.ts'
import { smtpAddress } from '../address.ts'
import { serverTls } from '../tls.ts'
import { type ConnectionLimits, type Connections, createConnections } from './connections.ts'
import { converse } from './converse.ts'
import { noteOpenedPort } from './ports.ts'
import { reply } from './reply.ts'
import type { Bounds, Submission } from './session.ts'
import { createWire } from './wire.ts'

/** The submission ports (RFC 6409): STARTTLS on the first, TLS from the start on the second (RFC 8314). */
export const submissionDoors: Door[] = [
  { name: 'smtp', open: (app) => openNoted(app, 'smtp') },
  { name: 'smtps', open: (app) => openNoted(app, 'smtps') },
]

const minuteMs = 60_000
const defaultBounds: Bounds = {
  loginMs: minuteMs,
  commandMs: 5 * minuteMs,
  textMs: 10 * minuteMs,
  tlsMs: 15_000,
  /** 25 MiB of attachments are 34 MiB as base64. */
  messageBytesMax: 40 * 1024 * 1024,
}
/** The memory of all messages being received. Each is held several times while it is processed. */
const textsBytesMax = 160 * 1024 * 1024
const badKeyWindowMs = 15 * minuteMs
const badKeysOfAddressMax = 20
const addressesMax = 100_000

async function openNoted(app: App, name: 'smtp' | 'smtps'): Promise<OpenDoor | null> {
  const { smtpPort, smtpsPort } = app.config
  const isPlain = name === 'smtp'
  const door = await openSubmission(app, isPlain ? 'SMTP_PORT' : 'SMTPS_PORT', isPlain ? smtpPort : smtpsPort)
  noteOpenedPort(app, name, door?.port)
  return door
}

/** Opens a submission port; null if it is off. Tests change `bounds` and `limits`. */
export async function openSubmission(
  app: App,
  variable: 'SMTP_PORT' | 'SMTPS_PORT',
  port: number | 'off',
  bounds: Partial<Bounds> = {},
  limits?: ConnectionLimits,
): Promise<OpenDoor | null> {
  if (port === 'off') return null
  const connections = createConnections(limits)
  const name = serverName(app)
  const submission: Submission = {
    ...{ app, name, tls: serverTls(app.config, app.log, name), bounds: { ...defaultBounds, ...bounds } },
    ...sharedBy(app),
    isClosing: connections.isClosing,
    noteLogin: connections.noteLogin,
  }
  const server = createServer((socket) => void serve(submission, connections, socket, variable === 'SMTPS_PORT'))
  await listen(server, app, variable, port)
  return {
    port: (server.address() as AddressInfo).port,
    close(graceMs) {
      server.close()
      return connections.close(graceMs)
    },
  }
}

async function serve(submission: Submission, connections: Connections, socket: Socket, isImplicit: boolean) {
  const wire = createWire(socket)
  if (!connections.admit(wire)) {
    // Plain text on either port, because there is no capacity for a handshake.
    wire.reply(reply('421 4.7.0', 'Too many connections. Close some, or try again later.'))
    return wire.end()
  }
  try {
    await converse(submission, wire, isImplicit)
  } catch (error) {
    submission.app.log.error({ err: error }, 'internal error in an SMTP connection')
    wire.destroy()
  } finally {
    connections.leave(wire)
  }
}

/** Shared by both ports. */
const sharedBy = perApp((app) => ({ budget: createByteBudget(textsBytesMax), countBadKey: badKeyCounter(app) }))

/** Returns the name for the greeting and the trace line. It need not be in DNS. */
function serverName({ config }: App): string {
  const name = config.publicUrl ? new URL(config.publicUrl).hostname : hostname()
  return /^[a-z0-9.-]+$/i.test(name) ? name : 'localhost'
}

function badKeyCounter({ clock }: App): (address: string) => boolean {
  const count = memoryCounter(addressesMax)
  return (address) => {
    const window = Math.floor(clock.now().getTime() / badKeyWindowMs)
    return count(networkOf(address), window) > badKeysOfAddressMax
  }
}

async function listen(server: Server, { config, log }: App, variable: string, port: number): Promise<void> {
  const address = smtpAddress(config)
  try {
    server.listen(port, address.host)
    await once(server, 'listening')
  } catch (error) {
    refuseListening(error as NodeJS.ErrnoException, { variable, port, ...address, mayBeOff: true })
  }
  // For example, no file descriptors are left. Open connections continue.
  server.on('error', (error) => log.warn({ err: error }, 'an SMTP connection could not be taken'))
}
