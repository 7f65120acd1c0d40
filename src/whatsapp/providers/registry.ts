import { createProvider } from '../../platform/provider.ts'
import type { WhatsappProvider, WhatsappProviderModule, WhatsappProviderParts } from '../provider.ts'
import { capture } from './capture.ts'
import { meta } from './meta.ts'

/** The choices of `WHATSAPP_PROVIDER`. */
export const whatsappProviders: WhatsappProviderModule[] = [capture, meta]

export function createWhatsappProvider(parts: WhatsappProviderParts): WhatsappProvider {
  return createProvider(whatsappProviders, parts.config.whatsappProvider, parts)
}
