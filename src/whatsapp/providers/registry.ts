import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Names } from '../../platform/names/names.ts'
import type { OutboundWhatsapp, WhatsappProvider } from '../provider.ts'
import { captureProvider } from './capture.ts'
import { metaProvider } from './meta.ts'

export type ProviderParts = {
  config: Config
  log: Logger
  names: Names
  /** Keeps what `capture` was handed. */
  store(message: OutboundWhatsapp): Promise<void>
}

/** `WHATSAPP_PROVIDER`, one line each. */
const registry: Record<Config['whatsappProvider'], (parts: ProviderParts) => WhatsappProvider> = {
  capture: ({ store }) => captureProvider({ store }),
  meta: ({ config, log, names }) =>
    metaProvider({
      accessToken: config.metaAccessToken!,
      apiBase: config.metaApiBase,
      resolve: names.resolve,
      apiVersion: config.metaApiVersion,
      registrationPin: config.metaRegistrationPin,
      log,
    }),
}

export function createWhatsappProvider(parts: ProviderParts): WhatsappProvider {
  return registry[parts.config.whatsappProvider](parts)
}
