import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../context.ts'
import { refuseVariable } from '../platform/environment/read.ts'
import { type Listening, refuseListening } from '../platform/network/refuse-listening.ts'
import { smtpAddress } from '../smtp/address.ts'
import { refuseBadCertificate } from '../smtp/tls.ts'

/**
 * Throws `ConfigError` for certificates and ports that the server could not use. Called first, so that such a start
 * makes no database, writes no secrets and answers no request.
 */
export async function checkListening(config: Config): Promise<void> {
  if (config.roles.includes('smtp')) refuseBadCertificate(config)
  const wanted = portsOf(config)
  refuseEqual(wanted)
  for (const listening of wanted) await tryPort(listening)
}

/** The ports of this process, HTTP first. */
function portsOf(config: Config): Listening[] {
  const { host, port, roles, smtpPort, smtpsPort, inboundSmtpPort } = config
  const address = smtpAddress(config)
  const smtp = [
    ['SMTP_PORT', smtpPort],
    ['SMTPS_PORT', smtpsPort],
    ['INBOUND_SMTP_PORT', inboundSmtpPort],
  ] as const
  const opened = roles.includes('smtp') ? smtp : []
  return [
    { variable: 'PORT', port, host, hostVariable: 'HOST', mayBeOff: false },
    ...opened.flatMap(([variable, port]) => (port === 'off' ? [] : [{ variable, port, ...address, mayBeOff: true }])),
  ]
}

function refuseEqual(wanted: Listening[]): void {
  for (const [index, { variable, port }] of wanted.entries()) {
    const other = wanted.slice(0, index).find((earlier) => earlier.port === port && port !== 0)
    if (other) refuseVariable(variable, `off, or another port than ${other.variable}`, String(port))
  }
}

/** Opens the port and closes it again. */
async function tryPort(listening: Listening): Promise<void> {
  const server = createServer()
  try {
    server.listen(listening.port, listening.host)
    await once(server, 'listening')
  } catch (error) {
    refuseListening(error as NodeJS.ErrnoException, listening)
  }
  server.close()
  await once(server, 'close')
}
