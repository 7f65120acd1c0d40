import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { EmailProvider, OutboundMessage } from '../provider.ts'
import { captureProvider } from './capture.ts'
import { smtpProvider } from './smtp.ts'

export type ProviderParts = {
  config: Config
  log: Logger
  /** Keeps what `capture` was handed. */
  store(message: OutboundMessage): Promise<void>
}

/** `EMAIL_PROVIDER`, one line each. */
const registry: Record<Config['emailProvider'], (parts: ProviderParts) => EmailProvider> = {
  capture: ({ store }) => captureProvider({ store }),
  smtp: ({ config, log }) => smtpProvider({ url: config.smtpRelayUrl!, localName: hostname() || 'localhost', log }),
}

export function createEmailProvider(parts: ProviderParts): EmailProvider {
  return registry[parts.config.emailProvider](parts)
}
