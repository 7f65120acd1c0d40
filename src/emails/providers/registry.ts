import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/keyring.ts'
import type { Names } from '../../platform/names/names.ts'
import type { EmailProvider, OutboundMessage } from '../provider.ts'
import { captureProvider } from './capture.ts'
import { directProvider } from './direct.ts'
import { emailTag, tagName } from './ses/email-tag.ts'
import { sesProvider } from './ses.ts'
import { smtpProvider } from './smtp.ts'

export type ProviderParts = {
  config: Config
  clock: Clock
  log: Logger
  names: Names
  keyring: Keyring
  /** Keeps what `capture` was handed. */
  store(message: OutboundMessage): Promise<void>
}

/** `EMAIL_PROVIDER`, one line each. */
const registry: Record<Config['emailProvider'], (parts: ProviderParts) => EmailProvider> = {
  capture: ({ store }) => captureProvider({ store }),
  smtp: ({ config, log, names: { lookup } }) =>
    smtpProvider({ url: config.smtpRelayUrl!, localName: hostname() || 'localhost', log, lookup }),
  ses: ({ config, log, keyring, names }) =>
    sesProvider({
      configurationSet: config.sesConfigurationSet,
      endpoint: config.sesEndpoint,
      lookup: names.lookup,
      tagsOf: (message) => ({ [tagName]: emailTag(keyring, message) }),
      log,
    }),
  direct: ({ config, clock }) => directProvider({ config, clock }),
}

export function createEmailProvider(parts: ProviderParts): EmailProvider {
  return registry[parts.config.emailProvider](parts)
}
