import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Names } from '../../platform/names/names.ts'
import type { OutboundSms, SmsProvider } from '../provider.ts'
import { awsSmsProvider } from './aws.ts'
import { captureSmsProvider } from './capture.ts'
import { twilioProvider } from './twilio.ts'

export type ProviderParts = {
  config: Config
  clock: Clock
  log: Logger
  names: Names
  /** Keeps what `capture` was handed. */
  store(message: OutboundSms): Promise<void>
}

/** `SMS_PROVIDER`, one line each. */
const registry: Record<Config['smsProvider'], (parts: ProviderParts) => SmsProvider> = {
  capture: ({ clock, store }) => captureSmsProvider({ clock, store }),
  aws: ({ config, log, names }) =>
    awsSmsProvider({
      region: config.smsAwsRegion!,
      endpoint: config.smsAwsEndpoint,
      configurationSet: config.smsAwsConfigurationSet,
      lookup: names.lookup,
      log,
    }),
  twilio: ({ config, clock, log, names }) =>
    twilioProvider({
      accountSid: config.twilioAccountSid!,
      authToken: config.twilioAuthToken!,
      apiBase: config.twilioApiBase,
      resolve: names.resolve,
      messagingServiceSid: config.twilioMessagingServiceSid,
      // Twilio takes no message whose callback is an address of this machine.
      callbackUrl: config.publicUrl === null ? null : `${config.publicUrl}/providers/twilio/sms`,
      now: () => clock.now(),
      log,
    }),
}

export function createSmsProvider(parts: ProviderParts): SmsProvider {
  return registry[parts.config.smsProvider](parts)
}
