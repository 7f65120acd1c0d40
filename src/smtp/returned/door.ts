import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { App } from '../../context.ts'
import { mailHostOf } from '../../domains/records.ts'
import type { Door, OpenDoor } from '../../platform/feature.ts'
import { refuseListening } from '../../platform/network/refuse-listening.ts'
import { smtpAddress } from '../address.ts'
import { serverTls } from '../tls.ts'
import { guardConnections } from './guard.ts'
import { messageBytesMax, receiveMessage, refuseUnknownRecipient } from './receive.ts'

/**
 * The port `INBOUND_SMTP_PORT`, which the MX record of a return path points to. Accepts bounce messages and complaints.
 */
export const inboundDoor: Door = { name: 'inbound', open: (app) => openInbound(app) }

const connectionsMax = 100
/** Shorter than the waits of RFC 5321 4.5.3.2, which a receiver of reports does not need. */
const silenceMaxMs = 60_000
/** Bounds clients that send single bytes slowly. A message of the largest size takes less at 1.5 Mbit/s. */
const fiveMinutes = 300_000
/** A report is about one email; no server is known to report on several at once. */
const recipientsMax = 5

/** Opens the port; null if it is off. `lifetimeMs` bounds a connection; tests change it. */
export async function openInbound(app: App, lifetimeMs = fiveMinutes): Promise<OpenDoor | null> {
  const { inboundSmtpPort: port } = app.config
  if (port === 'off') return null
  const address = smtpAddress(app.config)
  const name = mailHostOf(app.config)
  const receiving = new Set<string>()
  const tls = serverTls(app.config, app.log, name)
  const guard = guardConnections(() => server, lifetimeMs)
  const server: SMTPServer = new SMTPServer({
    ...options,
    name,
    onConnect(session, done) {
      server.secureContext.set('*', tls())
      answer(done, async () => guard.admit(session))
    },
    onClose: (session) => guard.forget(session),
    onRcptTo: ({ address }, _session, done) => answer(done, async () => refuseUnknownRecipient(app, address)),
    onData(stream, { id, envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address)
      receiving.add(id)
      answer(done, () => receiveMessage(app, recipients, stream).finally(() => receiving.delete(id)))
    },
  })
  server.on('error', (error) => app.log.debug({ err: error }, 'a connection of returned mail failed'))
  server.listen(port, address.host)
  await once(server.server, 'listening').catch((error: NodeJS.ErrnoException) => {
    refuseListening(error, { variable: 'INBOUND_SMTP_PORT', port, ...address, mayBeOff: true })
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: (graceMs) => close(server, graceMs, receiving),
  }
}

const options: SMTPServerOptions = {
  banner: 'Posthorn',
  size: messageBytesMax,
  disabledCommands: ['AUTH'],
  disableReverseLookup: true,
  maxClients: connectionsMax,
  maxRecipients: recipientsMax,
  socketTimeout: silenceMaxMs,
  // Also suppresses the warning about the server's built-in certificate, which ours replaces.
  logger: false,
}

function answer(done: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(() => done(), done)
}

/** Finishes messages under way, and ends the other connections. */
async function close(server: SMTPServer, graceMs: number, receiving: Set<string>): Promise<void> {
  server.options.closeTimeout = Math.max(1, graceMs)
  const closed = new Promise<void>((resolve) => server.close(resolve))
  for (const connection of server.connections) {
    if (!receiving.has(connection.id)) connection.send(421, '4.3.2 Closing. Try again later.')
  }
  return closed
}
