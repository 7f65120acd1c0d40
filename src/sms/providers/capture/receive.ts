import type { App } from '../../../context.ts'
import { invalid } from '../../../platform/errors.ts'
import type { KeywordAction } from '../../opt-outs/keywords.ts'
import { recordInboundSms } from '../../opt-outs/record-inbound.ts'
import { isPhoneNumber, phoneNumberForm } from '../../phone-number.ts'
import type { InboundSms } from '../../provider.ts'

/** The team is the caller's, whatever number it is said to be written to: nobody else's opt-outs can be reached. */
export async function receiveCaptured(
  app: App,
  teamId: string,
  sms: InboundSms,
): Promise<{ received: true; action: KeywordAction | null }> {
  if (!isPhoneNumber(sms.from)) throw invalid('from', phoneNumberForm)
  return { received: true, action: await recordInboundSms(app, [teamId], sms) }
}
