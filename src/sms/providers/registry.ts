import { createProvider } from '../../platform/provider.ts'
import type { SmsProvider, SmsProviderModule, SmsProviderParts } from '../provider.ts'
import { aws } from './aws.ts'
import { capture } from './capture.ts'
import { twilio } from './twilio.ts'

/** The choices of `SMS_PROVIDER`. */
export const smsProviders: SmsProviderModule[] = [capture, aws, twilio]

export function createSmsProvider(parts: SmsProviderParts): SmsProvider {
  return createProvider(smsProviders, parts.config.smsProvider, parts)
}
