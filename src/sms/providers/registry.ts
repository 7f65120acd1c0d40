import type { SmsProviderModule } from '../provider.ts'
import { aws } from './aws.ts'
import { capture } from './capture.ts'
import { twilio } from './twilio.ts'

/** The choices of `SMS_PROVIDER`. */
export const smsProviders: SmsProviderModule[] = [capture, aws, twilio]
