import { isLoopback, isLoopbackHost } from './platform/egress/loopback.ts'
import { oneOf } from './platform/environment/parsers.ts'
import { type Environment, refuseVariable } from './platform/environment/read.ts'
import { settingsReader } from './platform/environment/settings.ts'
import { server } from './platform/settings.ts'
import { channels, settings } from './settings.ts'

const nodeEnv = oneOf('production', 'development', 'test')
const { trial, host, publicUrl } = server
const { smtpListen } = settings

/**
 * Tells whether a server is treated as one that strangers reach. `isProduction` is true with NODE_ENV=production, and
 * without TRIAL=on if `cause` is set. `cause` is the setting that lets strangers in or mail out, such as
 * `HOST=0.0.0.0`, or null.
 */
export function judgeProduction(environment: Environment): { isProduction: boolean; cause: string | null } {
  const { NODE_ENV } = environment
  // A typo would start a public server with the defaults of a developer's machine.
  if (NODE_ENV && !nodeEnv.parse(NODE_ENV)) refuseVariable('NODE_ENV', `${nodeEnv.must}, or not set`, NODE_ENV)
  if (NODE_ENV === 'production') return { isProduction: true, cause: 'NODE_ENV=production' }
  const cause = findCause(environment)
  return { isProduction: cause !== null && settingsReader(environment, false)({ trial }).trial === 'off', cause }
}

function findCause(environment: Environment): string | null {
  const read = settingsReader(environment, false)
  const values = read({ host, smtpListen, publicUrl })
  if (!isLoopback(values.host)) return `${host.variable}=${values.host}`
  if (values.smtpListen && !isLoopback(values.smtpListen)) return `${smtpListen.variable}=${values.smtpListen}`
  if (values.publicUrl && !isLoopbackHost(new URL(values.publicUrl))) return `${publicUrl.variable}=${values.publicUrl}`
  for (const { choice, providers } of channels) {
    const chosen = read({ setting: settings[choice] }).setting
    const isKept = chosen === 'capture' || !providers.some(({ name }) => name === 'capture')
    if (!isKept) return `${settings[choice].variable}=${chosen}`
  }
  return null
}
