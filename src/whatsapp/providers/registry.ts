import type { WhatsappProviderModule } from '../provider.ts'
import { capture } from './capture.ts'
import { meta } from './meta.ts'

/** The choices of `WHATSAPP_PROVIDER`. */
export const whatsappProviders: WhatsappProviderModule[] = [capture, meta]
